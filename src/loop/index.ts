/** The agent loop: what the rest of the project, and checks outside of it, may use. */
export { Agent } from './agent';
export type { AgentListener, ContinueKind } from './agent';
export type { AgentOptions } from './agent-options';
export { agentLoop, agentLoopContinue, runAgentLoop, runAgentLoopContinue } from './agent-loop';
export type { AgentInitialState, AgentState } from './agent-state';
export { AgentError, errorText } from './errors';
export type { AgentErrorCode } from './errors';
export { EventStream } from './event-stream';
export type { OnQueueChange } from './queue';
export { runToolCall } from './tool-call';
export type { CallStep, FinishedCall, RunToolCallOptions } from './tool-call';
export {
  createInitialSystemMessage,
  getCurrentSystemMessage,
  getCurrentSystemPrompt,
  getCurrentTools,
  normalizeContext,
  toolDeclaration,
} from './transcript';
export type * from './types';
export { validateArguments } from './validate';
