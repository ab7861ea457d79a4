const openName = /^(?:api[-_]?version|version|v|region|location|deployment)$/i;
const openValue = /^[\w.:-]{1,40}$/;

/**
 * Whether the query of a base URL (with its `?`, or empty) may be seen by everybody: it says which version or place of an
 * API is meant. Any other may carry a secret, which records must not.
 */
export function isOpenQuery(search: string): boolean {
  return [...new URLSearchParams(search)].every(
    ([name, value]) => openName.test(name) && openValue.test(value),
  );
}
