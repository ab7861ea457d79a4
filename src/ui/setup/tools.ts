/** The tools that a session can have, for people to choose from. */
import { m } from '../../i18n';
import { builtInTools } from '../../scenario/built-in-tools';
import type { Scenario, ScriptedTool } from '../../scenario/types';

export interface OfferedTool {
  name: string;
  /** One line. Of a scripted tool what its scenario says, which may be nothing. */
  text: string;
  isScripted: boolean;
  isOn: boolean;
}

const texts: Record<string, () => string> = {
  read: m.tool_read,
  write: m.tool_write,
  edit: m.tool_edit,
  ls: m.tool_ls,
  find: m.tool_find,
  grep: m.tool_grep,
  bash: m.tool_bash,
  fetch: m.tool_fetch,
  js: m.tool_js,
  wait: m.tool_wait,
  finish: m.tool_finish,
  ask: m.tool_ask,
};

/** Those that the scenario scripts first, in its order, also what its actions bring later; then the built-in ones. */
export function offeredTools(scenario: Scenario | undefined, on: readonly string[]): OfferedTool[] {
  const scripted = new Map<string, ScriptedTool>();
  const later = (scenario?.actions ?? []).flatMap((action) => (action.do === 'tools' ? action.tools : []));
  for (const tool of [...(scenario?.tools ?? []), ...later])
    if (typeof tool !== 'string' && !scripted.has(tool.name)) scripted.set(tool.name, tool);
  const builtIn = builtInTools.filter((name) => !scripted.has(name));
  return [
    ...[...scripted.values()].map(({ name, description = '' }) => ({
      name,
      text: description,
      isScripted: true,
    })),
    ...builtIn.map((name) => ({ name, text: texts[name]?.() ?? '', isScripted: false })),
  ].map((tool) => ({ ...tool, isOn: on.includes(tool.name) }));
}
