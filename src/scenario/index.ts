export { expandFiles } from './expand';
export { parseRules } from './rules-schema';
export { parseScenario } from './schema';
