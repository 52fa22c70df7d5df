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
