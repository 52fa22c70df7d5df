import { isObject, type Json } from './json.ts'

/**
 * Canonical JSON: RFC 8785 on a smaller domain (integrity 6.1), so that a verifier in any language writes the same
 * bytes. Null, booleans, well-formed strings, integers up to 2^53-1 in magnitude, arrays, plain objects, depth at most
 * 64; anything else is an error, never a repair.
 *
 * @example
 * ```ts
 * import { canonicalJson } from '@touchstone-eval/touchstone/task'
 * const text: string = canonicalJson({ b: [1, 'x'], a: null })
 * console.log(text) // {"a":null,"b":[1,"x"]}
 * ```
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0, integer)
}

/** As {@link canonicalJson}, but a non-integer number n is written as {"$decimal": String(n)}: for configs and manifests. */
export function canonicalConfig(value: unknown): string {
  return write(value, 0, (n) => (Number.isInteger(n) ? integer(n) : `{"$decimal":${JSON.stringify(decimal(n))}}`))
}

function integer(n: number): string {
  if (!Number.isSafeInteger(n)) throw new TypeError(`canonical JSON holds only integers up to 2^53-1, got ${n}`)
  return String(n === 0 ? 0 : n)
}

function decimal(n: number): string {
  if (!Number.isFinite(n)) throw new TypeError(`canonical JSON cannot hold ${n}`)
  return String(n)
}

function write(value: unknown, depth: number, number: (n: number) => string): string {
  switch (typeof value) {
    case 'boolean':
      return value ? 'true' : 'false'
    case 'number':
      return number(value)
    case 'string':
      return text(value)
    case 'object':
      break
    default:
      throw new TypeError(`canonical JSON cannot hold ${value === undefined ? 'undefined' : `a ${typeof value}`}`)
  }
  if (value === null) return 'null'
  if (depth >= 64) throw new TypeError('canonical JSON is at most 64 levels deep')
  if (Array.isArray(value)) return list(value, depth, number)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError(`canonical JSON holds plain objects only, got a ${value.constructor?.name ?? 'class instance'}`)
  if (Object.getOwnPropertySymbols(value).length > 0) throw new TypeError('canonical JSON has no symbol keys')
  const record = value as { readonly [key: string]: unknown }
  // The default sort is by UTF-16 code unit, which is what RFC 8785 asks for.
  const keys = Object.keys(record).sort()
  let out = '{'
  for (const key of keys) out += `${out.length > 1 ? ',' : ''}${text(key)}:${write(record[key], depth + 1, number)}`
  return `${out}}`
}

// Joined, not added up: a long text made by additions is a tree of all its parts until somebody reads it.
function list(value: readonly unknown[], depth: number, number: (n: number) => string): string {
  // What proofs mostly consist of; the same text, three times as fast.
  if (isIntegers(value, depth)) return JSON.stringify(value)
  const parts: string[] = new Array(value.length)
  for (let i = 0; i < value.length; i++) {
    const item = value[i]
    if (item === undefined && !(i in value)) throw new TypeError('canonical JSON has no sparse arrays')
    parts[i] = typeof item === 'number' ? number(item) : write(item, depth + 1, number)
  }
  return `[${parts.join()}]`
}

/** Does a list hold nothing but integers and such lists, no deeper than allowed? */
function isIntegers(value: readonly unknown[], depth: number): boolean {
  for (const item of value)
    if (!Number.isSafeInteger(item) && !(Array.isArray(item) && depth < 63 && isIntegers(item, depth + 1))) return false
  return true
}

function text(value: string): string {
  if (!value.isWellFormed()) throw new TypeError('canonical JSON holds well-formed strings only, got a lone surrogate')
  return JSON.stringify(value)
}

/** Parses JSON text and refuses duplicate keys, which `JSON.parse` would silently merge. `"__proto__"` is an ordinary key. */
export function parseJson(source: string): Json {
  const value: Json = JSON.parse(source)
  const keys = countKeys(value)
  let written = 0
  // A key is a string directly before a colon; strings are skipped whole, so a colon inside one is not seen.
  for (const match of source.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*(:?)/gsu)) if (match[1] === ':') written++
  if (written !== keys) throw new SyntaxError('duplicate key in JSON object')
  return value
}

function countKeys(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  const parts: readonly Json[] = Object.values(value)
  let count = isObject(value) ? parts.length : 0
  for (const part of parts) count += countKeys(part)
  return count
}
