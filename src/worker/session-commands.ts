/** Commands that change the open session. */
import type { Command } from '../protocol';
import { problem } from '../store';
import { deleteFile, renameFile, writeFile, writeFiles } from './person-files';
import type { Session } from './session';
import { setRules } from './session-settings';

export type SessionCommand = Exclude<
  Command,
  {
    type:
      | 'cancel'
      | 'create'
      | 'open'
      | 'importSession'
      | 'listSessions'
      | 'claimSession'
      | 'releaseSession'
      | 'deleteSession'
      | 'renameSession'
      | 'setKey'
      | 'listModels'
      | 'testConnection'
      | 'requestBody'
      | 'records'
      | 'blob';
  }
>;

/** Does what a person asked for. Throws a ProblemError when it is refused; nothing has changed then. */
export function sessionCommand(session: Session, command: SessionCommand): unknown {
  session.syncTime();
  switch (command.type) {
    case 'play':
      return session.play();
    case 'step':
      return session.step();
    case 'pause':
      return session.pause();
    case 'speed':
      return session.setSpeed(command.speed);
    case 'prompt':
      return session.prompt(textOf(command));
    case 'steer':
      return session.queue('steering', textOf(command));
    case 'followUp':
      return session.queue('followUp', textOf(command));
    case 'abort':
      return session.abortRun(command.run);
    case 'continue':
      return session.continue();
    case 'retry':
      return session.retry();
    case 'removeQueued':
      return session.removeQueued(command.item);
    case 'editQueued':
      return session.editQueued(command.item, textOf(command));
    case 'moveQueued':
      return session.moveQueued(command.item, command.queue, command.index);
    case 'clearQueue':
      return session.clearQueue(command.queue);
    case 'configure': {
      const { id: _id, type: _type, session: _session, ...set } = command;
      return session.configure(set);
    }
    case 'editPrompt':
      return session.editPrompt(command.message, textOf(command));
    case 'answerAsModel':
      return session.answerAsModel(command.message, command.answer);
    case 'setRules':
      return setRules(session.parts, command.rules);
    case 'permission':
      return answered(session.asks.answer('permission', command.ask, command.allow, command.always));
    case 'answer':
      return answered(session.asks.answer('answer', command.ask, command.text));
    case 'writeFile':
      return writeFile(session.parts.files.fs, command, command.replace ?? false);
    case 'writeFiles':
      return writeFiles(session.parts.files.fs, command.files, command.replace ?? false);
    case 'renameFile':
      return renameFile(session.parts.files.fs, command.from, command.to);
    case 'deleteFile':
      return deleteFile(session.parts.files.fs, command.path);
    default:
      command satisfies never;
      throw problem('command.unknown', { type: String((command as Command).type) });
  }
}

function textOf({ text }: { text: string }): string {
  if (!text.trim()) throw problem('prompt.empty');
  return text;
}

function answered(found: boolean): void {
  if (!found) throw problem('ask.over');
}
