/** Pieces that the schemas share. A message of a check is the code of the problem. */
import * as v from 'valibot';

/** An object with these keys and no others; every unknown key is a problem of its own. */
export function closed<const T extends v.ObjectEntries>(entries: T): v.StrictObjectSchema<T, undefined> {
  // `strictObject` stops at the first unknown key. A rest of `never` names them all, and gives the same type.
  return v.objectWithRest(entries, v.never()) as unknown as v.StrictObjectSchema<T, undefined>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Free data, such as the arguments of a call. */
export const anyObject = v.custom<Record<string, unknown>>(isObject, 'object');

export const name = v.pipe(v.string(), v.minLength(1), v.maxLength(256));
/** ms, at most an hour. */
export const duration = v.pipe(v.number(), v.minValue(0), v.maxValue(3_600_000));
/** A number of things, from 1. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000));
/** A place in a list, from 0. */
export const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000));
/** A glob: short, so that matching it is quick, and never empty. */
export const pattern = v.pipe(
  v.string(),
  v.check((text) => text !== '' && text.length <= 256, 'scenario.badPattern'),
);

export const thinkingLevel = v.picklist(['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
export const queueName = v.picklist(['steering', 'followUp']);
export const queueMode = v.picklist(['one-at-a-time', 'all']);
export const executionMode = v.picklist(['parallel', 'sequential']);

/** A list of bounded length. */
export function list<const T extends v.GenericSchema<unknown, unknown>>(item: T, max = 10_000) {
  return v.pipe(v.array(item), v.maxLength(max));
}

/** An object of values by name. */
export function byName<const T extends v.GenericSchema<unknown, unknown>>(value: T) {
  return v.pipe(
    // A record schema alone takes a list for an object, and silently drops these two keys.
    v.custom<Record<string, unknown>>(isObject, 'object'),
    v.check(
      (object) => !Object.hasOwn(object, 'constructor') && !Object.hasOwn(object, 'prototype'),
      'scenario.badKey',
    ),
    v.record(v.string(), value),
  );
}
