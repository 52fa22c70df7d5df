import { z } from 'zod'
import { UsageError } from '../core/index.ts'
import shipped from './prices.json' with { type: 'json' }
import type { ModelOptions } from './provider.ts'

const usd = z.number().min(0)

const price = z.strictObject({
  input: usd,
  output: usd,
  maxOutput: z.int().min(1).optional(),
  long: z.strictObject({ above: z.int().min(1), input: usd, output: usd }).optional(),
})

const table = z.strictObject({
  asOf: z.string(),
  note: z.string().optional(),
  models: z.record(z.string(), z.record(z.string(), price)),
})

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  /** The most tokens of one answer, where the vendor says it. */
  readonly maxOutput?: number | undefined
  /** What all tokens of a call cost whose prompt has more tokens than `above`. */
  readonly long?: { readonly above: number; readonly input: number; readonly output: number } | undefined
}

/** Prices by provider and model, and when they were read. */
export type PriceTable = z.infer<typeof table>

/** The prices in the package. */
export const shippedPrices: PriceTable = table.parse(shipped)

/** Reads a price file. @throws UsageError */
export function parsePrices(text: string, path: string): PriceTable {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${(error as Error).message}`)
  }
  const read = table.safeParse(value)
  if (read.success) return read.data
  const faults = read.error.issues.slice(0, MAX_FAULTS).map((issue) => faultOf(issue, value))
  throw new UsageError(`${path} is no price file: ${faults.join('; ')}. \`touchstone list prices\` prints one that is`)
}

/** So many are told; the others are mostly of the same kind. */
const MAX_FAULTS = 3

const COST = 'US dollars for a million tokens (a number of at least 0)'
const TOKENS = 'a whole number of tokens, at least 1'

/** What is meant by the last part of a path. */
const MEANT: { readonly [name: string]: string } = {
  asOf: 'a text, when the prices were read',
  note: 'a text',
  input: COST,
  output: COST,
  maxOutput: TOKENS,
  above: TOKENS,
  long: 'an object with above, input and output',
}

/** The same by its length, where names are of providers and models. */
const NESTED = [
  'an object with asOf and models',
  'an object of providers',
  'an object of models',
  'an object with input and output',
] as const

/** What is wrong at one place, in words: what was expected and what came. */
function faultOf(issue: z.core.$ZodIssue, whole: unknown): string {
  const path = issue.path.map(String)
  const where = path.length === 0 ? 'the file' : path.join('.')
  if (issue.code === 'unrecognized_keys') {
    const known =
      path.length === 0 ? 'asOf, note and models' : 'input, output, maxOutput and long (above, input, output)'
    return `${where} has ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}, which is not known there; it may have ${known}`
  }
  let came = whole
  for (const part of path) came = (came as { readonly [name: string]: unknown } | null | undefined)?.[part]
  const meant = path[0] === 'models' && path.length < NESTED.length ? NESTED[path.length] : MEANT[path.at(-1) ?? '']
  return `${where}: expected ${meant ?? NESTED[path.length] ?? NESTED[0]}, came ${brief(came)}`
}

const brief = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 40 ? `${text.slice(0, 40)}...` : text
}

/** What stands behind the name of a model for a version of it with the same price. */
const VERSION = /^-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{3}|latest|0)$/u

/** Providers whose prices another one shares. */
const SAME: { readonly [provider: string]: string } = { 'openai-responses': 'openai' }

/**
 * The price of a spec: of the model of that name, or of the one it is a dated version of. undefined where the table has
 * none, and for servers of another address, whose prices are their own.
 */
export function priceIn(prices: PriceTable, spec: string, options: ModelOptions): Price | undefined {
  if (options.baseUrl !== undefined || options.baseUrlEnv !== undefined) return undefined
  const plain = spec.replace(/^(?:hybrid:)+/u, '')
  const colon = plain.indexOf(':')
  const provider = plain.slice(0, colon)
  const model = plain.slice(colon + 1)
  const known = prices.models[SAME[provider] ?? provider] ?? {}
  const exact = Object.entries(known).find(([name]) => name === model)
  if (exact !== undefined) return exact[1]
  return Object.entries(known).find(([name]) => model.startsWith(name) && VERSION.test(model.slice(name.length)))?.[1]
}
