/** Problems of files in words. */
import { errorText } from '../../i18n';
import type { Problem } from '../../records/types';
import { visiblePath } from '../lib/visible-name';

/** The sentence for a problem; what it says of a path can be seen as it is. */
export function problemText({ code, params }: Problem): string {
  const path = params?.path;
  if (typeof path !== 'string') return errorText(params ? { code, params } : { code });
  return errorText({ code, params: { ...params, path: shortened(visiblePath(path)) } });
}

const longest = 120;

/** What is in the middle of a long path says least. */
export function shortened(path: string): string {
  const half = longest / 2;
  return path.length <= longest ? path : `${path.slice(0, half)}…${path.slice(-half)}`;
}
