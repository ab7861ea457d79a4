import { Errors } from 'typebox/schema';
import { coerce } from './coerce';
import { errorText } from './errors';
import type { ToolDeclaration } from './types';

/** More would not help a model to correct itself. */
const MAX_ERRORS = 10;

/**
 * The arguments that a tool may run with: a copy, coerced where models are careless and the schema allows it.
 * Throws an Error whose text begins with "Invalid arguments" and names the path of each mistake, for the model to read.
 */
export function validateArguments(
  tool: Pick<ToolDeclaration, 'name' | 'parameters'>,
  args: unknown,
): Record<string, unknown> {
  const heading = `Invalid arguments for tool "${tool.name}":`;
  let copy: unknown;
  let mistakes: Mistake[];
  try {
    copy = coerce(tool.parameters, structuredClone(args));
    // Not compiled: typebox compiles with eval, and a page's security policy forbids it.
    mistakes = Errors(tool.parameters, copy)[1];
  } catch (error) {
    throw new Error(`${heading} they could not be checked against the tool's schema: ${errorText(error)}`, {
      cause: error,
    });
  }
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy))
    throw new Error(`${heading} they must be an object.`);
  const lines = [...new Set(mistakes.flatMap(describe))];
  if (lines.length > MAX_ERRORS) lines.splice(MAX_ERRORS, Infinity, `and ${lines.length - MAX_ERRORS} more`);
  if (lines.length > 0) throw new Error([heading, ...lines.map((line) => `- ${line}`)].join('\n'));
  return copy as Record<string, unknown>;
}

interface Mistake {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: object;
  message: string;
}

function describe({ keyword, schemaPath, instancePath, params, message }: Mistake): string[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const at = (...more: string[]) => [...path, ...more].join('.') || '(arguments)';
  if (keyword === 'required' && 'requiredProperties' in params) {
    return (params.requiredProperties as string[]).map((name) => `${at(name)}: is required`);
  }
  if (keyword === 'additionalProperties' && 'additionalProperties' in params) {
    return (params.additionalProperties as string[]).map((name) => `${at(name)}: is not a known property`);
  }
  // An unknown property is reported twice: here as fitting no schema, and above by its name.
  if (keyword === 'boolean')
    return schemaPath.endsWith('/additionalProperties') ? [] : [`${at()}: is not allowed here`];
  if (keyword === 'enum' && 'allowedValues' in params)
    return [`${at()}: must be one of ${JSON.stringify(params.allowedValues)}`];
  if (keyword === 'const' && 'allowedValue' in params)
    return [`${at()}: must be ${JSON.stringify(params.allowedValue)}`];
  return [`${at()}: ${message}`];
}
