/** What streamed of a message, so that its end need not repeat it. */
import { finalArguments } from '../json/tool-arguments';
import type { AssistantMessage, ToolCall } from '../loop/types';
import type { AssistantBody, StreamedBlock } from '../records/types';

type Block = AssistantMessage['content'][number];

export class StreamedBlocks {
  readonly #parts: string[][] = [];

  start(index: number): void {
    this.#parts[index] ??= [];
  }

  add(index: number, delta: string): void {
    (this.#parts[index] ??= []).push(delta);
  }

  /** The blocks of the finished message: those whose text streamed as it is only say so. */
  blocks(content: readonly Block[]): AssistantBody['content'] {
    return content.map((block, index) => {
      const streamed = this.#parts[index]?.join('');
      return (streamed === undefined ? undefined : streamedBlock(block, streamed)) ?? block;
    });
  }
}

function streamedBlock(block: Block, streamed: string): StreamedBlock | undefined {
  switch (block.type) {
    case 'text':
      return block.text === streamed ? { type: 'text', streamed: true } : undefined;
    case 'thinking': {
      if (block.thinking !== streamed) return undefined;
      const { thinking: _, ...rest } = block;
      return { ...rest, streamed: true };
    }
    case 'toolCall':
      return isReadFrom(block, streamed) ? streamedCall(block) : undefined;
  }
}

/** Whether the call's arguments are what its text says: whoever reads the record reads the text again. */
function isReadFrom(call: ToolCall, streamed: string): boolean {
  if (call.argumentsError !== undefined) return false;
  const json = JSON.stringify(call.arguments);
  if (json === streamed && !call.argumentsRepaired) return true;
  const read = finalArguments(streamed);
  return (
    read.argumentsError === undefined &&
    (read.repaired ?? false) === (call.argumentsRepaired ?? false) &&
    JSON.stringify(read.arguments) === json
  );
}

function streamedCall({ id, name, argumentsRepaired }: ToolCall): StreamedBlock {
  return { type: 'toolCall', id, name, streamed: true, ...(argumentsRepaired ? { argumentsRepaired } : {}) };
}
