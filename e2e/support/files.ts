/** The panel of files by its roles and names, and what people do with it. */
import { zipSync } from 'fflate';
import type { Locator, Page } from 'playwright/test';

export const fileTree = (page: Page) => page.getByRole('tree', { name: 'Files' });
/** Its row says its name, and then what it is against what it is compared with. */
export const fileRow = (page: Page, text: string | RegExp) =>
  fileTree(page).getByRole('treeitem').filter({ hasText: text });
export const notices = (page: Page) => page.getByRole('log', { name: 'Notices' });
export const dialog = (page: Page) => page.getByRole('dialog');

/** Shows the files in the middle of the page, without the loop above them. */
export async function openFiles(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Files', exact: true }).click();
  await fileTree(page).waitFor();
  const loop = page.getByRole('button', { name: 'Loop', exact: true });
  if ((await loop.getAttribute('aria-pressed')) === 'true') await loop.click();
}

export interface Dropped {
  name: string;
  /** A text, bytes, or how many zero bytes. */
  content: string | Uint8Array | number;
}

/** A drag from outside of the page that ends over an element. */
export async function drop(page: Page, files: readonly Dropped[], over: Locator): Promise<void> {
  const sent = files.map(({ name, content }) => ({
    name,
    zeros: typeof content === 'number' ? content : undefined,
    base64: typeof content === 'number' ? '' : Buffer.from(content).toString('base64'),
  }));
  const dataTransfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, zeros, base64 } of list) {
      const bytes =
        zeros === undefined ? Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)) : new Uint8Array(zeros);
      data.items.add(new File([bytes], name));
    }
    return data;
  }, sent);
  for (const type of ['dragenter', 'dragover', 'drop']) await over.dispatchEvent(type, { dataTransfer });
}

export function zipOf(files: Record<string, string>): Uint8Array {
  const encoder = new TextEncoder();
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)])),
  );
}
