export { finalArguments, interruptedArguments, partialArguments } from './tool-arguments';
export { splitTrailingHalf, wellFormed, wellFormedJson } from './well-formed';
