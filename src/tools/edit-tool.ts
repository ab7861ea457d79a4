import type { AgentTool } from '../loop/types';
import { pathArgument } from './arguments';
import { applyEdits } from './edit';
import { editsArgument, prepareEditArguments } from './edit-arguments';
import type { VirtualFileSystem } from './file-system';
import { displayPath } from './paths';

/** Lines of the patch; `patch` is a unified diff. */
export interface EditDetails {
  path: string;
  patch: string;
  added: number;
  removed: number;
}

const text = (description: string) => ({ type: 'string', description });

export function createEditTool(fs: VirtualFileSystem): AgentTool {
  return {
    name: 'edit',
    label: 'Edit',
    description:
      'Replace exact pieces of a text file. Each oldText must occur once in the file, edits must not overlap, and all of ' +
      'them are matched against the file as it is now. Nothing is written unless every edit matches.',
    parameters: {
      type: 'object',
      properties: {
        path: text('The file, relative to /project or absolute.'),
        edits: {
          type: 'array',
          description: 'The replacements. Several changes of one file go into one call.',
          minItems: 1,
          items: {
            type: 'object',
            properties: {
              oldText: text('The text to replace, with enough around it to occur once.'),
              newText: text('What takes its place. An empty text deletes.'),
            },
            required: ['oldText', 'newText'],
          },
        },
      },
      required: ['path', 'edits'],
    },
    prepareArguments: prepareEditArguments,
    async execute(_toolCallId, rawArguments, signal) {
      const args = prepareEditArguments(rawArguments);
      const path = pathArgument(args);
      const edits = editsArgument(args);
      return fs.runExclusive(path, () => {
        signal?.throwIfAborted();
        const resolved = fs.resolve(path);
        const {
          text: edited,
          patch,
          added,
          removed,
        } = applyEdits(fs.readText(resolved), edits, displayPath(resolved));
        fs.writeText(resolved, edited);
        const count = edits.length === 1 ? '1 edit' : `${edits.length} edits`;
        const details: EditDetails = { path: resolved, patch, added, removed };
        return {
          content: [
            {
              type: 'text',
              text: `Changed ${displayPath(resolved)}: ${count}, +${added} -${removed} lines.`,
            },
          ],
          details,
        };
      });
    },
  };
}
