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
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    if (isArray(value)) for (let i = 0; i < value.length; i++) freeze(value[i] as Json)
    else for (const key of Object.keys(value)) freeze((value as JsonObject)[key] as Json)
  }
  return value
}
