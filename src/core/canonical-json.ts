import { isObject, type Json } from './json.ts'

/**
 * Canonical JSON: RFC 8785 restricted to null, booleans, well-formed strings, integers up to 2^53-1 in magnitude, arrays and plain
 * objects, at most 64 levels deep, so that a verifier in any language writes the same bytes. Anything else is an error.
 *
 * @example
 * ```ts
 * import { canonicalJson } from '@touchstone-eval/touchstone/task'
 * const text: string = canonicalJson({ b: [1, 'x'], a: null })
 * console.log(text) // {"a":null,"b":[1,"x"]}
 * ```
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0, strict)
}

/** Canonical JSON of a value that is nested `depth` levels deep in a document. */
export const canonicalPart = (value: unknown, depth: number): string => write(value, depth, strict)

/** As {@link canonicalJson}, but a non-integer number n is written as {"$decimal": String(n)}: for configs and manifests. */
export function canonicalConfig(value: unknown): string {
  return write(value, 0, config)
}

/** JSON with sorted keys for any JSON value, including floats and lone surrogates: equal values give equal bytes. */
export function sortedJson(value: Json): string {
  return write(value, 0, lenient)
}

/** What one of the three variants allows. */
interface Rules {
  readonly deepest: number
  readonly wellFormed: boolean
  /** Text of a number that is not a safe integer. */
  number(n: number): string
}

const strict: Rules = { deepest: 64, wellFormed: true, number: refused }
const config: Rules = {
  deepest: 64,
  wellFormed: true,
  number: (n) => (Number.isInteger(n) ? refused(n) : `{"$decimal":${JSON.stringify(decimal(n))}}`),
}
const lenient: Rules = { deepest: Number.POSITIVE_INFINITY, wellFormed: false, number: (n) => JSON.stringify(n) }

function refused(n: number): never {
  throw new TypeError(`canonical JSON holds only integers up to 2^53-1, got ${n}`)
}

function decimal(n: number): string {
  if (!Number.isFinite(n)) throw new TypeError(`canonical JSON cannot hold ${n}`)
  return String(n)
}

function write(value: unknown, depth: number, rules: Rules): string {
  switch (typeof value) {
    case 'boolean':
      return value ? 'true' : 'false'
    case 'number':
      return Number.isSafeInteger(value) ? String(value === 0 ? 0 : value) : rules.number(value)
    case 'string':
      return text(value, rules)
    case 'object':
      break
    default:
      throw new TypeError(`canonical JSON cannot hold ${value === undefined ? 'undefined' : `a ${typeof value}`}`)
  }
  if (value === null) return 'null'
  if (depth >= rules.deepest) throw new TypeError(`canonical JSON is at most ${rules.deepest} levels deep`)
  // Fast path for the common case; gives the same text.
  if (isOrdered(value, depth)) {
    const out = JSON.stringify(value)
    // Only then can it hold a lone surrogate, which is an error.
    if (!rules.wellFormed || !out.includes('\\ud')) return out
  }
  if (Array.isArray(value)) return list(value, depth, rules)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError(`canonical JSON holds plain objects only, got a ${value.constructor?.name ?? 'class instance'}`)
  if (Object.getOwnPropertySymbols(value).length > 0) throw new TypeError('canonical JSON has no symbol keys')
  const record = value as { readonly [key: string]: unknown }
  const { sorted, begins } = membersOf(Object.keys(record), rules)
  let out = ''
  for (let i = 0; i < sorted.length; i++) out += begins[i]! + write(record[sorted[i]!], depth + 1, rules)
  return `{${out}}`
}

// join, not +=: concatenation keeps a rope of all parts in memory until it is flattened.
function list(value: readonly unknown[], depth: number, rules: Rules): string {
  const parts: string[] = new Array(value.length)
  for (let i = 0; i < value.length; i++) {
    const item = value[i]
    if (item === undefined && !(i in value)) throw new TypeError('canonical JSON has no sparse arrays')
    parts[i] = write(item, depth + 1, rules)
  }
  return `[${parts.join()}]`
}

/** True if a value holds only what all variants allow and all keys are sorted. */
function isOrdered(value: object, depth: number): boolean {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i]
      if (typeof item !== 'string' && !isOrderedPart(item, depth)) return false
    }
    return true
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  if (Object.getOwnPropertySymbols(value).length > 0) return false
  const record = value as { readonly [key: string]: unknown }
  let before = ''
  // for-in is faster than Object.keys; an inherited key fails the order test or is ignored by JSON.
  for (const key in record) {
    if (key < before || !isOrderedPart(record[key], depth)) return false
    before = key
  }
  return true
}

function isOrderedPart(value: unknown, depth: number): boolean {
  if (typeof value !== 'object') return typeof value === 'number' ? Number.isSafeInteger(value) : isTextOrTruth(value)
  return value === null || (depth < 63 && isOrdered(value, depth + 1))
}

const isTextOrTruth = (value: unknown): boolean => typeof value === 'string' || typeof value === 'boolean'

/** Sorted keys of an object, with the text before each value: comma, key, colon. */
interface Members {
  readonly keys: readonly string[]
  readonly sorted: readonly string[]
  readonly begins: readonly string[]
}

/** Cache of members by keys in insertion order: most objects have one of a few shapes. */
const shapes = new Map<string, Members>()
const maxShapes = 4096
const maxKeys = 32

function membersOf(keys: readonly string[], rules: Rules): Members {
  if (keys.length > maxKeys) return membersIn(keys, rules)
  const shape = keys.join()
  const known = shapes.get(shape)
  if (known !== undefined && sameKeys(known.keys, keys)) return known
  const members = membersIn(keys, rules)
  // Keys that only the lenient variant allows must not be cached for the strict ones.
  if (shapes.size < maxShapes && shape.length < 1024 && shape.isWellFormed()) shapes.set(shape, members)
  return members
}

function membersIn(keys: readonly string[], rules: Rules): Members {
  // The default sort is by UTF-16 code unit, which is what RFC 8785 asks for.
  const sorted = [...keys].sort()
  return { keys, sorted, begins: sorted.map((key, i) => `${i === 0 ? '' : ','}${text(key, rules)}:`) }
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

function text(value: string, rules: Rules): string {
  if (rules.wellFormed && !value.isWellFormed())
    throw new TypeError('canonical JSON holds well-formed strings only, got a lone surrogate')
  return JSON.stringify(value)
}

/** Parses JSON and rejects duplicate keys, which `JSON.parse` would merge silently. `"__proto__"` is an ordinary key. */
export function parseJson(source: string): Json {
  const value: Json = JSON.parse(source)
  const keys = countKeys(value)
  let written = 0
  // A key is a string directly before a colon; whole strings are skipped, so colons inside them do not count.
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
