import { Buffer } from 'node:buffer'
import { type Request, UsageError } from '../../core/index.ts'
import {
  type Bounds,
  costsMoney,
  type Model,
  type Price,
  type Provider,
  plainMaximum,
  type Settings,
  type TokenUsage,
} from '../../models/index.ts'
import type { RunModel } from '../plan/resolve.ts'

/** Rough estimate: four characters per token, as in English text with common tokenizers. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / 4)

/** Tokens that a server may add to the messages of a call: its template, roles, its own system prompt. */
const TEMPLATE_TOKENS = 1024

/** A request for several strings is sent again in halves where it fails: 16 strings, then 8, 4, 2, 1. */
const SENDS = 5

/** Most output tokens of a call; null: nothing limits them. */
export function maxOutputTokens(
  model: Pick<RunModel, 'price'>,
  settings: Settings,
  route: Pick<Model, 'maxOutput'>,
): number | null {
  const asked = (route.maxOutput ?? plainMaximum)(settings)
  const known = model.price?.maxOutput ?? null
  if (asked === null) return known
  return known === null ? asked : Math.min(asked, known)
}

/** Most tokens that a call can read and write. No tokenizer makes more tokens of a text than it has bytes. */
export function boundsOf(request: Request, output: number | null, scored: number | null): Bounds {
  const texts =
    request.kind === 'chat' ? request.messages.map(({ content }) => content) : [request.context, request.text]
  const input = texts.reduce((sum, text) => sum + Buffer.byteLength(text, 'utf8'), TEMPLATE_TOKENS)
  // One token is generated per string whose likelihood is asked for.
  return scored === null ? { input, output } : { input: input * scored * SENDS, output: scored * SENDS }
}

/** @throws UsageError for a cost limit that cannot be kept, since a model has no price. */
export function requirePrices(
  models: readonly RunModel[],
  usd: number | undefined,
  providers: readonly Provider[],
): void {
  if (usd === undefined) return
  const unknown = models.filter(({ spec, price }) => price === null && costsMoney(spec, providers))
  if (unknown.length > 0)
    throw new UsageError(
      `a cost limit of $${usd} needs the price of ${unknown.map(({ name }) => name).join(', ')}. Add --price INPUT,OUTPUT, or price: { input, output } in an experiment file (USD per 1M tokens; 0 if free)`,
    )
}

/** @throws UsageError for a cost limit that cannot be kept, since nothing limits the output of a call. */
export function requireMaxTokens(models: readonly RunModel[], routes: readonly Model[], usd: number | null): void {
  if (usd === null) return
  const endless = models.filter((model, i) => {
    const route = routes[i]
    if (route === undefined || route.kind === 'score' || model.price === null || model.price.output === 0) return false
    return model.settings.some((settings) => maxOutputTokens(model, settings, route) === null)
  })
  if (endless.length > 0)
    throw new UsageError(
      `a cost limit of $${usd} needs the most output of a call to ${endless.map(({ name }) => name).join(', ')}: add --max-tokens N, or \`maxTokens\` to its settings in an experiment file (with an "effort" on Anthropic models also "maxOutput" in its price)`,
    )
}

/** US dollars for the tokens of a call; undefined if the price or the counts are not known. */
export function costOf(price: RunModel['price'], usage: TokenUsage): number | undefined {
  if (price === null || usage.inputTokens === undefined || usage.outputTokens === undefined) return undefined
  const { input, output } = price.long !== undefined && usage.inputTokens > price.long.above ? price.long : price
  return (usage.inputTokens * input + usage.outputTokens * output) / 1e6
}

/** Most US dollars that a call can cost: all tokens it can read and write at the highest price. 0 if it is free. */
export function maxCost(price: Price | null, bounds: Bounds): number {
  if (price === null) return 0
  const input = Math.max(price.input, price.long?.input ?? 0)
  const output = Math.max(price.output, price.long?.output ?? 0)
  return (bounds.input * input + (bounds.output ?? UNLIMITED_OUTPUT) * output) / 1e6
}

/** Output tokens that are reserved for a call that nothing limits, in a run without a cost limit. */
const UNLIMITED_OUTPUT = 4096

/** What is booked, and what calls in flight may still cost, against a limit in US dollars. */
export class Budget {
  private spent: number
  private reserved = 0
  readonly limit: number | null

  constructor(limit: number | null, spent: number) {
    this.limit = limit
    this.spent = spent
  }

  /** US dollars booked for finished calls. */
  get usd(): number {
    return this.spent
  }

  /** Reserves money for a call; false: it could exceed the limit. */
  reserve(usd: number): boolean {
    if (this.limit !== null && usd > 0 && this.spent + this.reserved + usd > this.limit) return false
    this.reserved += usd
    return true
  }

  /** The call is over; `usd`: its cost, all that was reserved if that is not known, or 0. */
  settle(reserved: number, usd: number): void {
    this.reserved -= reserved
    this.spent += usd
  }
}
