/** Plain JSON. Everything that is stored, hashed or sent is frozen JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
/** An object of JSON values, by name. */
export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * `Array.isArray` does not narrow readonly arrays; this does.
 *
 * @example
 * import { isArray, type Json } from '@touchstone-eval/touchstone/task'
 *
 * const lengthOf = (value: Json): number => (isArray(value) ? value.length : 0)
 */
export const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)
/**
 * True for an object that is neither an array nor null.
 *
 * @example
 * import { isObject, type Json } from '@touchstone-eval/touchstone/task'
 *
 * const keysOf = (value: Json): readonly string[] => (isObject(value) ? Object.keys(value) : [])
 */
export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Freezes a JSON value deeply and returns it.
 *
 * @example
 * import { freeze } from '@touchstone-eval/touchstone/task'
 *
 * const word = freeze({ letters: ['a', 'b'] })
 */
export function freeze<T extends Json>(value: T): T {
  if (typeof value === 'object' && value !== null) freezeParts(value)
  return value
}

/** Object.isExtensible is several times faster than Object.isFrozen; an extensible value is not frozen. */
function freezeParts(value: readonly Json[] | JsonObject): void {
  if (!Object.isExtensible(value) && Object.isFrozen(value)) return
  Object.freeze(value)
  for (const part of isArray(value) ? value : Object.values(value))
    if (typeof part === 'object' && part !== null) freezeParts(part)
}

/** null: no JSON. */
export function jsonOrNull(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

/** A JSON text with NaN and Infinity, which Python writes, as null; what stands in strings stays. Linear. */
export function withoutNaN(json: string): string {
  if (!/NaN|Infinity/u.test(json)) return json
  let out = ''
  let quote = json.indexOf('"')
  for (let at = 0; at < json.length; ) {
    const end = quote === -1 ? json.length : quote
    out += json.slice(at, end).replaceAll(/-?\b(?:NaN|Infinity)\b/gu, 'null')
    at = quote === -1 ? end : endOfString(json, end)
    out += json.slice(end, at)
    quote = json.indexOf('"', at)
  }
  return out
}

/** Behind the closing quote of the string that begins here. */
function endOfString(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return Math.min(json.length, at + 1)
}
