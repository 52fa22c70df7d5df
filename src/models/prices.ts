import { z } from 'zod'
import { schemaErrorMap, schemaErrors, UsageError } from '../core/index.ts'
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
  /** Maximum number of output tokens of one response, if the vendor publishes it. */
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
  const read = table.safeParse(value, { error: schemaErrorMap })
  if (read.success) return read.data
  const faults = schemaErrors(read.error, table).slice(0, MAX_SHOWN)
  throw new UsageError(
    `${path} is not a price file (US dollars per 1M tokens): ${faults.join('; ')}. \`touchstone list prices\` prints one that is`,
  )
}

/** The others are mostly of the same kind. */
const MAX_SHOWN = 3

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
