/** Where requests for a path of the API go: behind the base URL, and before its query. */
export function endpointUrl(baseUrl: string, path: string): string {
  const [address = '', query] = baseUrl.split('?', 2);
  return `${address}${path}${query ? `?${query}` : ''}`;
}
