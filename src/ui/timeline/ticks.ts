/** The marks of the ruler: round times, or round numbers of records. */
import { getLocale, m } from '../../i18n';
import { pixelOf, valueAt, type AxisView } from '../../trace/lanes-bars';
import { clockTime, duration, number } from '../lib/format';

export interface Tick {
  /** Pixels from the left edge of the view. */
  x: number;
  value: number;
  /** Halfway between two labels: a shorter mark without one. */
  isMinor: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Above a second people count in sixties. */
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 6, 12, 24].map((hours) => hours * HOUR),
];
/** Pixels between two labels, at least. */
const ROOM = 62;

/** A round step of at least `least`, in the unit of `measure`. */
export function roundStep(least: number, measure: 'at' | 'seq'): number {
  if (measure === 'at' && least > SECOND / 2) {
    const step = TIME_STEPS.find((candidate) => candidate >= least);
    return step ?? decimalStep(least / (24 * HOUR)) * 24 * HOUR;
  }
  return Math.max(measure === 'seq' ? 1 : 0, decimalStep(least));
}

function decimalStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** The step between two labels in this view. */
export function tickStep(view: AxisView): number {
  return roundStep(((view.to - view.from) / view.width) * ROOM, view.scale.measure);
}

/** All ticks in view, in order; none inside of what is cut short. */
export function ticks(view: AxisView, step = tickStep(view)): Tick[] {
  const { scale } = view;
  if (scale.measure === 'seq') return recordTicks(view, step);
  const [from, to] = [valueAt(view, 0), valueAt(view, view.width)];
  const half = step / 2;
  const gaps = scale.gaps.filter((gap) => gap.to > from && gap.from < to);
  const all: Tick[] = [];
  let gap = 0;
  for (let index = Math.ceil(from / half); index * half <= to; index++) {
    // Never minus zero, which would be written as such.
    const value = index * half || 0;
    while ((gaps[gap]?.to ?? Infinity) <= value) gap++;
    const inside = gaps[gap];
    if (inside && inside.from < value) {
      index = Math.max(index, Math.ceil(inside.to / half) - 1);
      continue;
    }
    if (value < 0) continue;
    all.push({ x: pixelOf(view, value), value, isMinor: index % 2 !== 0 });
  }
  return all;
}

/** Even in steps, each with the number of the record that is there. */
function recordTicks(view: AxisView, step: number): Tick[] {
  const all: Tick[] = [];
  for (let place = Math.max(0, Math.ceil(view.from / step) * step); place <= view.to; place += step) {
    const value = Math.round(view.scale.value(place));
    if (all.at(-1)?.value !== value) all.push({ x: pixelOf(view, value), value, isMinor: false });
  }
  return all;
}

/** A tick's label, as exact as the step needs. */
export function tickText(value: number, step: number, measure: 'at' | 'seq'): string {
  if (measure === 'seq') return number(value);
  const decimals = Math.max(0, Math.min(3, Math.ceil(-Math.log10(step / SECOND) - 1e-9)));
  if (value < MINUTE) return m.unit_seconds({ value: number(value / SECOND, decimals) });
  const seconds = padded((value % MINUTE) / SECOND, decimals);
  const minutes = Math.floor(value / MINUTE);
  if (minutes < 60) return m.time_minutes({ minutes: number(minutes), seconds });
  const hours = Math.floor(minutes / 60);
  // Who looks at days does not want seconds; who looks at seconds of a late day wants both.
  if (hours >= 48 && step >= MINUTE) return clockTime(value);
  if (hours >= 48) return `${clockTime(value)}:${seconds}`;
  return m.time_hours({ hours: number(hours), minutes: padded(minutes % 60, 0), seconds });
}

const paddedFormats = new Map<string, Intl.NumberFormat>();

function padded(value: number, decimals: number): string {
  const key = `${getLocale()} ${decimals}`;
  let format = paddedFormats.get(key);
  if (!format) {
    // Cut, not rounded: no clock shows sixty seconds.
    format = new Intl.NumberFormat(getLocale(), {
      minimumIntegerDigits: 2,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      roundingMode: 'trunc',
    });
    paddedFormats.set(key, format);
  }
  return format.format(value);
}

/** What the axis shows, in words. */
export function rangeText(from: number, to: number, measure: 'at' | 'seq'): string {
  if (measure === 'seq')
    return m.time_range_records({ from: number(Math.max(1, Math.ceil(from))), to: number(Math.floor(to)) });
  const step = roundStep((to - from) / 100, 'at');
  const first = Math.max(0, from);
  return m.time_range({ from: tickText(first, step, 'at'), to: tickText(to, step, 'at') });
}

/** A short length of time for a narrow place: seconds without their unit. */
export function bareSeconds(ms: number): string {
  return ms < 10 * SECOND ? number(ms / SECOND, 2) : duration(ms);
}
