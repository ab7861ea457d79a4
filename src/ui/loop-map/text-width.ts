/** How wide words are, in the page's own letters. */
const known = new Map<string, number>();
let context: CanvasRenderingContext2D | undefined;

/** Of a text in letters of this size, in the same unit. */
export function textWidth(text: string, size: number, isBold: boolean): number {
  const key = `${isBold ? 'b' : ''} ${text}`;
  let width = known.get(key);
  if (known.size > 1000) known.clear();
  if (width === undefined) known.set(key, (width = measured(text, isBold)));
  return width * size;
}

function measured(text: string, isBold: boolean): number {
  context ??= document.createElement('canvas').getContext('2d') ?? undefined;
  if (!context) return text.length * 0.6;
  context.font = `${isBold ? 700 : 400} 100px ${getComputedStyle(document.body).fontFamily}`;
  return context.measureText(text).width / 100;
}
