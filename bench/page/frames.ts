/** How long frames take while something moves. */
import type { Page } from 'playwright';

/** What moves in each frame. */
export type Motion = 'nothing' | 'outline' | 'pan' | 'zoom';

/** ms from each frame to the next, of `count` frames in which this moves. Runs the whole motion in the page. */
export async function frameTimes(page: Page, motion: Motion, count = 180): Promise<number[]> {
  return page.evaluate(move, { motion, count });
}

function move({ motion, count }: { motion: Motion; count: number }): Promise<number[]> {
  const tree = document.querySelector('[role="tree"]');
  const canvas = document.querySelector('canvas');
  const box = canvas?.getBoundingClientRect();
  let frame = 0;
  const wheel = (by: WheelEventInit): void => {
    if (!box) return;
    const [clientX, clientY] = [box.left + box.width * 0.6, box.top + box.height * 0.6];
    canvas?.dispatchEvent(
      new WheelEvent('wheel', { ...by, clientX, clientY, bubbles: true, cancelable: true }),
    );
  };
  const step = (): void => {
    if (motion === 'outline') tree?.scrollBy(0, frame < count / 2 ? -700 : 700);
    if (motion === 'pan') wheel({ deltaX: frame < count / 2 ? -45 : 45 });
    if (motion === 'zoom') wheel({ deltaY: frame < count / 2 ? -40 : 40, ctrlKey: true });
  };
  return new Promise((resolve) => {
    const times: number[] = [];
    let before: number | undefined;
    const next = (now: number): void => {
      if (before !== undefined) times.push(now - before);
      before = now;
      if (frame++ === count) resolve(times);
      else {
        step();
        requestAnimationFrame(next);
      }
    };
    requestAnimationFrame(next);
  });
}
