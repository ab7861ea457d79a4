/** Numbers, durations and moments in the current locale. Units come from the catalogue. */
import { getLocale, m } from '../../i18n';

const numberFormats = new Map<string, Intl.NumberFormat>();

/** A number with a fixed count of decimals, with separators of the locale. */
export function number(value: number, decimals = 0): string {
  const key = `${getLocale()} ${decimals}`;
  let format = numberFormats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(getLocale(), {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    numberFormats.set(key, format);
  }
  return format.format(value);
}

/** 8,400 as "8.4k": for places where the order of magnitude is what counts. */
export function count(value: number): string {
  const key = `${getLocale()} compact`;
  let format = numberFormats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(getLocale(), { notation: 'compact', maximumFractionDigits: 1 });
    numberFormats.set(key, format);
  }
  return format.format(value);
}

/** Money in a currency that nobody named: 12.40, and of less than one the first two digits that count: 0.0034. */
export function cost(value: number): string {
  const isSmall = value > 0 && value < 1;
  const key = `${getLocale()} cost ${isSmall}`;
  let format = numberFormats.get(key);
  if (!format) {
    const digits = isSmall
      ? { maximumSignificantDigits: 2 }
      : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    format = new Intl.NumberFormat(getLocale(), digits);
    numberFormats.set(key, format);
  }
  return format.format(value);
}

/** A span of `ms`: "0.05 s", "12.3 s", "4 min 05 s", "2 h 14 min", "83 d 8 h". */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return m.unit_seconds({ value: number(seconds, 2) });
  if (seconds < 99.95) return m.unit_seconds({ value: number(seconds, 1) });
  const whole = Math.round(seconds);
  if (whole < 3600) {
    const rest = String(whole % 60).padStart(2, '0');
    return m.unit_minutes_seconds({ minutes: number(Math.floor(whole / 60)), seconds: rest });
  }
  const minutes = Math.floor(whole / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48)
    return m.unit_days_hours({ days: number(Math.floor(hours / 24)), hours: String(hours % 24) });
  return m.unit_hours_minutes({ hours: number(hours), minutes: String(minutes % 60) });
}

/** A place in time from a minute on, as a clock says it: "4:05", "2:14:09", and from the third day on "83 d 08:12". */
export function clockTime(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const two = (value: number) => String(value).padStart(2, '0');
  if (hours >= 48)
    return m.unit_days_time({
      days: number(Math.floor(hours / 24)),
      time: `${two(hours % 24)}:${two(minutes % 60)}`,
    });
  if (hours === 0) return `${minutes}:${two(seconds % 60)}`;
  return `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** The size of a file. */
export function bytes(value: number): string {
  if (value < 1000) return m.unit_bytes({ value: number(value) });
  if (value < 1_000_000) return m.unit_kilobytes({ value: number(value / 1000, value < 10_000 ? 1 : 0) });
  return m.unit_megabytes({ value: number(value / 1_000_000, 1) });
}

/** How long ago something in the session was, for cards that tick: whole tenths below ten seconds. */
export function age(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  const text =
    seconds < 10 ? m.unit_seconds({ value: number(seconds, 1) }) : duration(Math.floor(seconds) * 1000);
  return m.ago({ duration: text });
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
];

/** A moment (ms since the epoch) as seen from `now`: "3 minutes ago", and after a week its date. */
export function moment(at: number, now: number): string {
  let value = (at - now) / 1000;
  for (const [unit, size] of steps) {
    if (Math.abs(value) < size) {
      const rounded = unit === 'second' ? 0 : Math.trunc(value);
      const text = new Intl.RelativeTimeFormat(getLocale(), { numeric: 'auto' }).format(rounded, unit);
      return m.moment({ when: text });
    }
    value /= size;
  }
  const text = new Intl.DateTimeFormat(getLocale(), { dateStyle: 'medium' }).format(at);
  return m.moment({ when: text });
}

/** A moment in full, for tooltips. */
export function fullMoment(at: number): string {
  const text = new Intl.DateTimeFormat(getLocale(), { dateStyle: 'full', timeStyle: 'medium' }).format(at);
  return m.moment({ when: text });
}
