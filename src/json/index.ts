export {
  finalArguments,
  interruptedArguments,
  partialArguments,
  type FinalArguments,
} from './tool-arguments';
export { splitTrailingHalf, wellFormed, wellFormedJson } from './well-formed';
