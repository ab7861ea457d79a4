export { expandFiles } from './expand';
export { parseRules } from './rules-schema';
export { parseAnswer, parseScenario } from './schema';
