/** Where JSON that still streams ends. */

/**
 * The quotes and brackets that the text so far leaves open, innermost first: `{"a": ["x` gives `"]}`. Linear in the text,
 * so ask it for what is on screen.
 */
export function missingEnd(text: string): string {
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') open.push('}');
    else if (character === '[') open.push(']');
    else if (character === '}' || character === ']') open.pop();
  }
  return (inString ? '"' : '') + open.reverse().join('');
}

/**
 * Pretty JSON of the view of a text so far, cut where the text ends: what is behind it only closes what is still open.
 * `pretty` is JSON with indentation, `missing` what `missingEnd` says.
 */
export function cutAtEnd(pretty: string, missing: string): [sent: string, still: string] {
  let at = pretty.length;
  for (let left = missing.length; left > 0 && at > 0;) if (/["\]}]/.test(pretty[--at] ?? '')) left--;
  while (at > 0 && missing !== '' && /\s/.test(pretty[at - 1] ?? '')) at--;
  return [pretty.slice(0, at), pretty.slice(at)];
}
