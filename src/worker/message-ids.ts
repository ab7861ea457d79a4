import type { AgentMessage } from '../loop/types';

/** Ids of messages by their identity: requests and ends name messages that they do not repeat. */
export class MessageIds {
  readonly #ids = new WeakMap<AgentMessage, string>();

  set(message: AgentMessage, id: string): void {
    this.#ids.set(message, id);
  }

  get(message: AgentMessage): string | undefined {
    return this.#ids.get(message);
  }

  /** The ids of those that have one. */
  of(messages: readonly AgentMessage[]): string[] {
    return messages.flatMap((message) => this.#ids.get(message) ?? []);
  }
}
