/** Plain JSON data. Everything that is stored, hashed or sent is one of these, frozen. */
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
 * A mapping, and neither a list nor null.
 *
 * @example
 * import { isObject, type Json } from '@touchstone-eval/touchstone/task'
 *
 * const keysOf = (value: Json): readonly string[] => (isObject(value) ? Object.keys(value) : [])
 */
export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Freezes a JSON value through and through and returns it.
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

/** What is extensible is not frozen, which is found out several times as fast. */
function freezeParts(value: readonly Json[] | JsonObject): void {
  if (!Object.isExtensible(value) && Object.isFrozen(value)) return
  Object.freeze(value)
  for (const part of isArray(value) ? value : Object.values(value))
    if (typeof part === 'object' && part !== null) freezeParts(part)
}
