import { builtInTools } from './built-in-tools';
import { problemAt, shortened, type ScenarioProblem } from './error';
import type { Scenario, ScriptedTool } from './types';

type Path = readonly (string | number)[];

/** What is wrong with a scenario whose shape is right: things that must fit one another. */
export function crossProblems(scenario: Scenario): ScenarioProblem[] {
  const known = [...builtInTools, ...scriptedNames(scenario)];
  return [
    ...startProblems(scenario),
    ...toolProblems(scenario.tools ?? [], builtInTools, ['tools']),
    ...Object.keys(scenario.toolDurations ?? {}).flatMap((name) =>
      builtInTools.includes(name)
        ? []
        : [problemAt(['toolDurations', name], 'scenario.unknownTool', { name })],
    ),
    ...ruleProblems(scenario),
    ...(scenario.actions ?? []).flatMap((action, at) => [
      ...(action.do === 'tools' ? toolProblems(action.tools, known, ['actions', at, 'tools']) : []),
      ...(action.do === 'rules'
        ? ruleProblems({ ...scenario, rules: action.rules }, ['actions', at, 'rules'])
        : []),
      ...positionProblems(action.on.event, action.on.tool, ['actions', at, 'on', 'tool']),
    ]),
  ];
}

function startProblems({ start, prompts = [], history = [] }: Scenario): ScenarioProblem[] {
  if (start === 'prompt') return prompts.length > 0 ? [] : [problemAt(['prompts'], 'scenario.noPrompt')];
  const tail = history.at(-1);
  if (!tail) return [problemAt(['history'], 'scenario.noHistory')];
  // Nothing can be queued before the first event, so an assistant tail leaves the loop nothing to ask.
  if (tail.role !== 'assistant') return [];
  return [problemAt(['history', history.length - 1], 'scenario.cannotContinue')];
}

/** All scripted tools: an action may name one that is written down elsewhere. */
function scriptedNames({ tools = [], actions = [] }: Scenario): string[] {
  const all = [...tools, ...actions.flatMap((action) => (action.do === 'tools' ? action.tools : []))];
  return all.flatMap((tool) => (typeof tool === 'string' ? [] : tool.name));
}

/** `known`: the tools that may be there by name alone. */
function toolProblems(
  tools: readonly (string | ScriptedTool)[],
  known: readonly string[],
  path: Path,
): ScenarioProblem[] {
  const names = tools.map((tool) => (typeof tool === 'string' ? tool : tool.name));
  return tools.flatMap((tool, at) => {
    const name = typeof tool === 'string' ? tool : tool.name;
    if (names.indexOf(name) < at) return [problemAt([...path, at], 'scenario.toolTwice', { name })];
    if (typeof tool !== 'string' || known.includes(tool)) return [];
    return [problemAt([...path, at], 'scenario.unknownTool', { name: shortened(name) })];
  });
}

/** What is wrong between rules whose shapes are right. */
export function ruleProblems(
  { rules = [], requestLimit }: Pick<Scenario, 'rules' | 'requestLimit'>,
  path: Path = ['rules'],
): ScenarioProblem[] {
  const ids = rules.map((rule) => rule.id);
  return rules.flatMap((rule, at) => [
    ...(ids.indexOf(rule.id) < at
      ? [problemAt([...path, at, 'id'], 'scenario.ruleTwice', { id: rule.id })]
      : []),
    // Continue at every turn, without a limit, is a run that never ends.
    ...(rule.rule === 'finishTurn' &&
    rule.action === 'continue' &&
    rule.nth === undefined &&
    requestLimit === undefined
      ? [problemAt([...path, at], 'scenario.endless')]
      : []),
  ]);
}

/** Only the events of a call know a tool. */
function positionProblems(event: string, tool: string | undefined, path: Path): ScenarioProblem[] {
  if (tool === undefined || event.startsWith('tool_execution_')) return [];
  return [problemAt(path, 'scenario.positionWithoutTool', { event })];
}
