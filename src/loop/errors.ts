/** Why the loop or the agent refused to start, so that a host can word it in its own language. */
export type AgentErrorCode = 'alreadyRunning' | 'nothingToContinue' | 'assistantTail' | 'noStreamFunction';

/** A refusal to start a run: nothing was changed. */
export class AgentError extends Error {
  readonly code: AgentErrorCode;

  constructor(code: AgentErrorCode, message: string) {
    super(message);
    this.name = 'AgentError';
    this.code = code;
  }
}

/** Text of whatever was thrown, never empty: tools and hooks of a host may throw anything. */
export function errorText(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown === 'string') return thrown || 'An empty text was thrown.';
  if (thrown === undefined || thrown === null)
    return `Something failed without an error (${String(thrown)} was thrown).`;
  return jsonText(thrown) ?? Object.prototype.toString.call(thrown);
}

function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Cycles and big integers have no JSON: the caller falls back to the type's name.
    return undefined;
  }
}
