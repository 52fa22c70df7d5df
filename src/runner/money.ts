import { Buffer } from 'node:buffer'
import { type Request, UsageError } from '../core/index.ts'
import {
  type Bounds,
  costsMoney,
  type Model,
  type Price,
  type Provider,
  plainMaximum,
  type Settings,
  type TokenUsage,
} from '../models/index.ts'
import type { RunModel } from './resolve.ts'

/** Rough: four characters a token, as English text has with common tokenizers. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / 4)

/** Tokens that a server may put around the messages of a call: its template, roles, a system prompt of its own. */
const TEMPLATE_TOKENS = 1024

/** A request for several strings is sent again in halves where it fails: 16 strings, then 8, 4, 2, 1. */
const SENDS = 5

/** The most output tokens of a call; null: nothing limits them. */
export function mostOutput(
  model: Pick<RunModel, 'price'>,
  settings: Settings,
  route: Pick<Model, 'mostOutput'>,
): number | null {
  const asked = (route.mostOutput ?? plainMaximum)(settings)
  const known = model.price?.maxOutput ?? null
  if (asked === null) return known
  return known === null ? asked : Math.min(asked, known)
}

/** The most tokens that a call can take and bring. No tokenizer makes more tokens of a text than it has bytes. */
export function boundsOf(request: Request, output: number | null, scored: number | null): Bounds {
  const texts =
    request.kind === 'chat' ? request.messages.map(({ content }) => content) : [request.context, request.text]
  const input = texts.reduce((sum, text) => sum + Buffer.byteLength(text, 'utf8'), TEMPLATE_TOKENS)
  // One token is generated for each scored string.
  return scored === null ? { input, output } : { input: input * scored * SENDS, output: scored * SENDS }
}

/** @throws UsageError where a limit in dollars could not be kept: a model without a price, or output without an end. */
export function requirePrices(
  models: readonly RunModel[],
  usd: number | undefined,
  providers: readonly Provider[],
): void {
  if (usd === undefined) return
  const unknown = models.filter(({ spec, price }) => price === null && costsMoney(spec, providers))
  if (unknown.length > 0)
    throw new UsageError(
      `a limit of $${usd} needs the price of ${unknown.map(({ name }) => name).join(', ')}: add --price INPUT,OUTPUT (USD per 1M tokens; 0,0 if free), or price: { input, output } beside each model of an experiment`,
    )
}

/** @throws UsageError where a limit in dollars could not be kept, since nothing limits what a call can bring. */
export function requireMaximum(models: readonly RunModel[], routes: readonly Model[], usd: number | null): void {
  if (usd === null) return
  const endless = models.filter((model, i) => {
    const route = routes[i]
    if (route === undefined || route.kind === 'score' || model.price === null || model.price.output === 0) return false
    return model.settings.some((settings) => mostOutput(model, settings, route) === null)
  })
  if (endless.length > 0)
    throw new UsageError(
      `a limit of $${usd} needs the most output of a call to ${endless.map(({ name }) => name).join(', ')}: --max-tokens, in the settings of each in an experiment (with an "effort" on Anthropic models also "maxOutput" in its price)`,
    )
}

/** US dollars for what a call used; undefined where the price or the counts are not known. */
export function costOf(price: RunModel['price'], usage: TokenUsage): number | undefined {
  if (price === null || usage.inputTokens === undefined || usage.outputTokens === undefined) return undefined
  const { input, output } = price.long !== undefined && usage.inputTokens > price.long.above ? price.long : price
  return (usage.inputTokens * input + usage.outputTokens * output) / 1e6
}

/** US dollars that a call can cost at most: all it can take and bring, at the dearest price. 0 where it is free. */
export function mostOf(price: Price | null, bounds: Bounds): number {
  if (price === null) return 0
  const input = Math.max(price.input, price.long?.input ?? 0)
  const output = Math.max(price.output, price.long?.output ?? 0)
  return (bounds.input * input + (bounds.output ?? UNLIMITED_OUTPUT) * output) / 1e6
}

/** Output tokens that are booked for a call that nothing limits, in a run without a limit in dollars. */
const UNLIMITED_OUTPUT = 4096

/** What is spent and what calls under way may still cost, against a ceiling. */
export class Budget {
  private spent: number
  private reserved = 0
  readonly ceiling: number | null

  constructor(ceiling: number | null, spent: number) {
    this.ceiling = ceiling
    this.spent = spent
  }

  /** US dollars booked for calls that are over. */
  get usd(): number {
    return this.spent
  }

  /** Sets money aside for a call; false: it could break the ceiling. */
  reserve(usd: number): boolean {
    if (this.ceiling !== null && usd > 0 && this.spent + this.reserved + usd > this.ceiling) return false
    this.reserved += usd
    return true
  }

  /** The call is over; `usd` is what is booked for it: its cost, all that was set aside where that is not known, or 0. */
  settle(reserved: number, usd: number): void {
    this.reserved -= reserved
    this.spent += usd
  }
}
