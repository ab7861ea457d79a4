export { ScenarioError, type ScenarioProblem } from './error';
export { expandFiles } from './expand';
export { blobsOf, scenarioFromRecords } from './from-records';
export { parseRules } from './rules-schema';
export { parseScenario, parseScenarioText } from './schema';
