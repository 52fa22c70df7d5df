import { existsSync } from 'node:fs'
import { z } from 'zod'
import { defined } from '../core/defined.ts'
import { UsageError } from '../core/errors.ts'
import type { ModelInput } from '../lab/index.ts'
import { execution } from '../lab/requests/index.ts'
import { costsMoney, type PriceTable, parseAssignments, parsePrices, providers } from '../models/index.ts'
import type { Experiment } from '../runner/index.ts'
import type { ModelRunFlags } from './command-flags.ts'
import { readText } from './configuration.ts'

const executionSchema = z.object(execution)
/** How calls are made, as requests take it. */
export const executionOptions = (flags: ModelRunFlags) => executionSchema.parse(flags)

export const limitsOf = ({ concurrency, timeout, retries, maxUsd }: ModelRunFlags): Partial<Experiment['limits']> =>
  defined({ concurrency, timeout, retries, usd: maxUsd })

const PRICE = /^(?<input>\d{0,9}\.?\d{1,9}),(?<output>\d{0,9}\.?\d{1,9})$/u

/** `--price`: a price file, or the price of the models that cost money. @throws UsageError */
export async function pricesOf({ price }: ModelRunFlags): Promise<{
  readonly prices?: PriceTable
  readonly each?: { readonly input: number; readonly output: number }
}> {
  if (price === undefined) return {}
  const { input, output } = PRICE.exec(price)?.groups ?? {}
  if (input !== undefined) return { each: { input: Number(input), output: Number(output) } }
  if (!existsSync(price))
    throw new UsageError(
      `--price: expected a price file, or INPUT,OUTPUT in USD per 1M tokens, got "${price}". Example: --price 0.5,1.5`,
    )
  return { prices: parsePrices(await readText(price, 'the price file'), price) }
}

/** Providers with a batch API. */
const BATCHING = /^(?:hybrid:)*(?:openai|openai-responses|anthropic|google):/u

/** The models of the flags; `subsample`: the part of the items that each is given. @throws UsageError for none. */
export async function modelsOf(
  flags: ModelRunFlags,
  subsample?: { readonly fraction: number } | { readonly perStratum: number },
): Promise<readonly ModelInput[]> {
  const { models = [], batch = false, baseUrl, samples, temperature, maxTokens, apiKeyEnv, setModel = [] } = flags
  if (models.length === 0) throw new UsageError('missing --model. Example: --model baseline:random')
  if (batch && !models.some((model) => BATCHING.test(model)))
    throw new UsageError('--batch: only openai, openai-responses, anthropic and google models have a batch API')
  const { each } = await pricesOf(flags)
  const { settings, headers } = parseAssignments(setModel)
  const address = baseUrl?.startsWith('env:') === true ? { baseUrlEnv: baseUrl.slice(4) } : { baseUrl }
  return models.map((model) =>
    defined({
      model,
      settings: [{ ...defined({ temperature, maxTokens }), ...settings }],
      samples,
      subsample,
      batch: batch && BATCHING.test(model) ? {} : undefined,
      price: each !== undefined && costsMoney(model, providers) ? each : undefined,
      ...address,
      apiKeyEnv,
      headers: Object.keys(headers).length === 0 ? undefined : headers,
    }),
  )
}
