/** The canvas that the axis is drawn on: its size, its sharpness, and the page's colours and font on it. */
import { CanvasText } from './canvas-text';
import { namesWidth } from './paint-axis';
import { readPalette, watchTheme, type Palette } from './palette';

/** What every drawing needs of the surface. */
export interface Drawing {
  context: CanvasRenderingContext2D;
  text: CanvasText;
  palette: Palette;
  /** Device pixels of a pixel. */
  density: number;
  width: number;
  height: number;
  /** How wide the names of the lanes are. */
  names: number;
}

export class Surface {
  width = 0;
  height = 0;
  readonly #text: CanvasText;
  readonly #sizes: ResizeObserver;
  readonly #forgetTheme: () => void;
  #palette: Palette | undefined;
  #names = 0;

  /** Watches the size of the canvas' place, and the theme; `changed` is called at each change. */
  constructor(
    readonly canvas: HTMLCanvasElement,
    changed: () => void,
  ) {
    const context = canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('This browser does not draw on a canvas.');
    this.#text = new CanvasText(context);
    this.#sizes = new ResizeObserver(([entry]) => {
      this.width = entry?.contentRect.width ?? 0;
      this.height = entry?.contentRect.height ?? 0;
      changed();
    });
    this.#sizes.observe(canvas);
    this.#forgetTheme = watchTheme(() => {
      this.restyle();
      changed();
    });
  }

  /** Colours, font and words are read again for the next drawing. */
  restyle(): void {
    this.#palette = undefined;
  }

  begin(): Drawing {
    const { width, height, canvas } = this;
    const density = devicePixelRatio || 1;
    const [across, down] = [Math.round(width * density), Math.round(height * density)];
    if (canvas.width !== across) canvas.width = across;
    if (canvas.height !== down) canvas.height = down;
    this.#palette ??= this.#read();
    const { context } = this.#text;
    return { context, text: this.#text, palette: this.#palette, density, width, height, names: this.#names };
  }

  close(): void {
    this.#sizes.disconnect();
    this.#forgetTheme();
  }

  #read(): Palette {
    const palette = readPalette(this.canvas);
    this.#text.family = palette.fontFamily;
    this.#names = namesWidth((words, size, weight) => this.#text.width(words, size, weight));
    return palette;
  }
}
