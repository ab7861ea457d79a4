/**
 * The shell gives its output back at its end. So that it shows while it comes, and standard output and errors in their order,
 * each command whose output would reach the terminal gets redirections to it, before those that it has.
 */
import type { Bash } from 'just-bash/browser';
import { TERMINAL } from './shell-files';

type Plugin = Parameters<Bash['registerTransformPlugin']>[0];
type Script = Parameters<Plugin['transform']>[0]['ast'];
type Statement = Script['statements'][number];
type Pipeline = Statement['pipelines'][number];
type Command = Pipeline['commands'][number];
type SimpleCommand = Extract<Command, { type: 'SimpleCommand' }>;
type Redirection = SimpleCommand['redirections'][number];

const word = (value: string) => ({ type: 'Word' as const, parts: [{ type: 'Literal' as const, value }] });
const redirect = (fd: number | null, operator: '>>' | '>&', target: string): Redirection => ({
  type: 'Redirection',
  fd,
  operator,
  target: word(target),
});
const OUTPUT_AND_ERRORS = [redirect(null, '>>', TERMINAL), redirect(2, '>&', '1')];
const ERRORS = [redirect(2, '>>', TERMINAL)];

/** They print nothing. */
const UNTOUCHED = new Set(['exit', 'return', 'break', 'continue', 'shift', ':', 'true', 'false']);

/**
 * For one script: what the script itself runs as scripts (`bash -c`, `xargs`) already goes where it should. A script that
 * may redirect its own output (`exec > file`) is left as it is.
 */
export function terminalOutput(): Plugin {
  let isOuterScript = true;
  return {
    name: 'terminal-output',
    transform: ({ ast }) => {
      if (!isOuterScript) return { ast };
      isOuterScript = false;
      if (JSON.stringify(ast).includes('"value":"exec"')) return { ast };
      return { ast: { ...ast, statements: inStatements(ast.statements) } };
    },
  };
}

function inStatements(statements: Statement[]): Statement[] {
  return statements.map((statement) => ({ ...statement, pipelines: statement.pipelines.map(inPipeline) }));
}

function inPipeline(pipeline: Pipeline): Pipeline {
  const last = pipeline.commands.length - 1;
  return {
    ...pipeline,
    commands: pipeline.commands.map((command, index) => {
      if (index === last) return inCommand(command);
      return pipeline.pipeStderr?.[index] ? command : redirected(command, ERRORS);
    }),
  };
}

function inCommand(command: Command): Command {
  if (command.type !== 'SimpleCommand' && command.redirections.length === 0) {
    switch (command.type) {
      case 'If':
        return {
          ...command,
          clauses: command.clauses.map(({ condition, body }) => ({
            condition: inStatements(condition),
            body: inStatements(body),
          })),
          elseBody: command.elseBody && inStatements(command.elseBody),
        };
      case 'While':
      case 'Until':
        return { ...command, condition: inStatements(command.condition), body: inStatements(command.body) };
      case 'For':
      case 'CStyleFor':
      case 'Subshell':
      case 'Group':
        return { ...command, body: inStatements(command.body) };
      case 'Case':
        return {
          ...command,
          items: command.items.map((item) => ({ ...item, body: inStatements(item.body) })),
        };
    }
  }
  return redirected(command, OUTPUT_AND_ERRORS);
}

function redirected(command: Command, redirections: Redirection[]): Command {
  // What a function prints goes where its call's output goes.
  if (command.type === 'FunctionDef') return command;
  if (command.type === 'SimpleCommand' && !isTouched(command)) return command;
  return { ...command, redirections: [...redirections, ...command.redirections] };
}

function isTouched({ name }: SimpleCommand): boolean {
  if (!name) return false;
  const [part] = name.parts;
  return !(name.parts.length === 1 && part?.type === 'Literal' && UNTOUCHED.has(part.value));
}
