import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { parseJson } from './stream-errors';
import type { Watch } from './watch';

/** A piece of the text at a time: the parser looks for both kinds of line end from each line to the end of its input. */
const SLICE = 16_384;
/** Characters kept of a body that is no event stream. */
const HEAD_LIMIT = 4_000_000;

/** Reads the server-sent events of a response as its bytes come in, however they were cut. */
export class EventReader {
  #head = '';
  #heard = false;
  #events: EventSourceMessage[] = [];
  readonly #response: Response;
  readonly #watch: Watch;
  #stray = '';
  #ended = false;

  constructor(response: Response, watch: Watch) {
    this.#response = response;
    this.#watch = watch;
  }

  /** The body as text, as long as no event was in it: for answers that are no event stream. */
  get head(): string {
    return this.#head;
  }

  /** The body began as an event stream does, whatever became of it. */
  get isEventStream(): boolean {
    return this.#heard || /^(?:data|event|id|retry)?:/.test(this.#head);
  }

  /** Text that came between the events without being a field, such as an error that a proxy wrote as bare JSON. */
  get stray(): string {
    return this.#stray;
  }

  /** The body is over: what its end completed may be half an event. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Each read's events; whoever stops iterating closes the connection. An event at the end needs no blank line. */
  async *read(): AsyncGenerator<EventSourceMessage[]> {
    const reader = this.#response.body?.getReader();
    if (!reader) return;
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: (event) => {
        this.#heard = true;
        this.#events.push(event);
      },
      onError: (error) => {
        if (error.type === 'unknown-field' && this.#stray.length < HEAD_LIMIT)
          this.#stray += `${error.line ?? ''}\n`;
      },
    });
    const feed = (text: string): void => {
      if (!this.#heard && this.#head.length < HEAD_LIMIT) this.#head += text;
      for (let at = 0; at < text.length; at += SLICE) parser.feed(text.slice(at, at + SLICE));
    };
    try {
      for (;;) {
        const { done, value } = await this.#watch.race(reader.read());
        if (done) break;
        this.#watch.heard();
        feed(decoder.decode(value, { stream: true }));
        yield this.#take();
      }
      this.#ended = true;
      feed(`${decoder.decode()}\n\n`);
      yield this.#take();
    } finally {
      // A body that has failed already refuses this too, and its failure was told by the read.
      reader.cancel().catch(() => undefined);
    }
  }

  #take(): EventSourceMessage[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/**
 * The texts in the data of one event: one, or a line each when the server left out the blank lines between its events.
 * JSON that a server wrote over several lines is one.
 */
export function dataTexts(data: string): string[] {
  const text = data.trim();
  if (!text.includes('\n') || parseJson(text) !== undefined) return text === '' ? [] : [text];
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  return lines.every((line) => line === '[DONE]' || parseJson(line) !== undefined) ? lines : [text];
}
