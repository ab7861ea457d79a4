/** Whether a file may have this path: relative to the working directory or absolute, without `..` or NUL. */
export function isFilePath(path: string): boolean {
  if (path === '' || path.length > 1_024 || path.includes('\0') || path.endsWith('/')) return false;
  return path.split('/').every((part) => part !== '..' && part !== '.');
}

/**
 * Whether this names a shipped sample: a relative path of plain names, so that no sample can leave `samples/`, with or
 * without the URL's own escapes.
 */
export function isSamplePath(path: string): boolean {
  return (
    path.length <= 1_024 &&
    path.split('/').every((part) => /^[\w.-]+$/.test(part) && part !== '..' && part !== '.')
  );
}

/** Whether this is base64 without white space, padded. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
