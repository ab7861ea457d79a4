/** Files that are dropped anywhere on the page but where files go. */
import { errorText, m } from '../i18n';
import type { Page } from './page.svelte';

/** A session or a scenario opens, with the checks of an import; for anything else the page shows where files go. */
export async function openDropped(page: Page, files: readonly File[]): Promise<void> {
  const [file] = files;
  if (file && files.length === 1 && /\.jsonl$/i.test(file.name)) {
    const problem = await page.imports(file);
    if (problem) page.tell(errorText(problem));
  } else if (file && files.length === 1 && /\.json$/i.test(file.name)) {
    await page.newFromFile(file);
  } else {
    page.view.centre.lower = 'files';
    page.view.panel = 'files';
    page.notices.add({ kind: 'info', text: m.drop_on_files() });
  }
}
