export { ScenarioError, type ScenarioProblem } from './error';
export { expandFiles } from './expand';
export { parseScenario, parseScenarioText } from './schema';
