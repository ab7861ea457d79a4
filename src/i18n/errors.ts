/** The sentences for errors, in a module of its own: the page paints before they are loaded. */
import { m } from './compiled/messages';

type Sentence = (params: Readonly<Record<string, string | number>>) => string;

/** The message `error_<code>` with the code's dots as underscores, when there is one. */
export function sentenceFor(code: string): Sentence | undefined {
  return (m as unknown as Record<string, Sentence | undefined>)[`error_${code.replaceAll('.', '_')}`];
}
