/** What a session begins with, and how each of its runs began. */
import { applySettings } from '../records/settings';
import type { FileContent, MessageBody, RecordOf, SessionConfig, TraceRecord } from '../records/types';

export interface RunReading {
  how: RecordOf<'agent_start'>['how'];
  /** Texts of the messages that it began with. */
  prompts: string[];
  /** The failed end of the run before was taken back, or that run was interrupted. */
  retries: boolean;
}

export class StartReader {
  /** All that was set before the first run. */
  readonly config: SessionConfig = {};
  readonly files = new Map<string, FileContent>();
  readonly runs: RunReading[] = [];
  readonly #history = new Map<string, MessageBody>();
  readonly #prompts = new Set<string>();
  #retries = false;

  get history(): MessageBody[] {
    return [...this.#history.values()];
  }

  read(record: TraceRecord): void {
    switch (record.type) {
      case 'agent_start':
        this.runs.push({ how: record.how, prompts: [], retries: this.#retries });
        this.#retries = false;
        return;
      case 'message_start':
        if (record.origin === 'prompt') this.#prompts.add(record.message);
        return;
      case 'message_end':
        return this.#message(record);
      case 'rewind':
        this.#retries = record.why === 'retry';
        for (const id of record.drop) this.#history.delete(id);
        return;
      case 'interrupted':
        this.#retries = true;
        return;
      default:
        if (this.runs.length === 0) this.#before(record);
    }
  }

  #before(record: TraceRecord): void {
    if (record.type === 'config') applySettings(this.config, record.set);
    if (record.type !== 'file_change') return;
    if (record.after) this.files.set(record.path, record.after);
    else this.files.delete(record.path);
  }

  #message({ message, body }: RecordOf<'message_end'>): void {
    const run = this.runs.at(-1);
    if (!run) this.#history.set(message, body);
    else if (this.#prompts.has(message)) run.prompts.push(textOf(body));
  }
}

/** The texts of a message; its images cannot be prompted with. */
export function textOf(body: MessageBody): string {
  if (!('content' in body)) return '';
  const { content } = body;
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}
