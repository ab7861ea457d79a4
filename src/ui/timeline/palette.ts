/** The page's colours and font for a canvas: custom properties as the theme resolves them. */

const NAMES = {
  panel: '--panel',
  sunken: '--sunken',
  track: '--track',
  line: '--line',
  lineStrong: '--line-strong',
  text: '--text',
  text2: '--text-2',
  text3: '--text-3',
  onInk: '--on-ink',
  now: '--now',
  nowInk: '--now-ink',
  assistant: '--assistant',
  tool: '--tool',
  toolSoft: '--tool-soft',
  steering: '--steering',
  steeringSoft: '--steering-soft',
  followUp: '--follow-up',
  followUpSoft: '--follow-up-soft',
  hook: '--hook',
  error: '--error',
  pause: '--pause',
  pauseSoft: '--pause-soft',
} as const;

export type ColourName = keyof typeof NAMES;
export type Palette = Record<ColourName, string> & { fontFamily: string };

/** As they are inside of `element`; its own colour is changed while it is asked, and back. */
export function readPalette(element: HTMLElement): Palette {
  const style = getComputedStyle(element);
  const before = element.style.color;
  const colours = Object.entries(NAMES).map(([name, property]) => {
    // `getPropertyValue` would give `light-dark(…)`, which a canvas cannot read.
    element.style.color = `var(${property})`;
    return [name, style.color];
  });
  element.style.color = before;
  return { ...(Object.fromEntries(colours) as Record<ColourName, string>), fontFamily: style.fontFamily };
}

/** Calls back whenever the theme changes; returns how to stop. */
export function watchTheme(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true });
  dark.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    dark.removeEventListener('change', changed);
  };
}
