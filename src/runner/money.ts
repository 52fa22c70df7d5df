import { UsageError } from '../core/index.ts'
import { costsMoney, type Provider, type Settings, type TokenUsage } from '../models/index.ts'
import type { RunModel } from './resolve.ts'

/** Rough: four characters a token, as English text has with common tokenizers. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / 4)

/** Output tokens to reserve for a call whose settings set no limit, beside its budget for thinking. */
export const OUTPUT_GUESS = 4096

/** The most output tokens that settings allow, or what is reserved where they do not say. */
export const mostOutput = ({ maxTokens, thinkingBudget = 0 }: Settings): number =>
  maxTokens ?? OUTPUT_GUESS + thinkingBudget

/** Models with a price and settings without a limit on output: a call to them can cost more than is reserved for it. */
export const withoutMaximum = (models: readonly RunModel[]): readonly RunModel[] =>
  models.filter(({ price, settings }) => price !== null && settings.some(({ maxTokens }) => maxTokens === undefined))

/** @throws UsageError where a limit in dollars could not be kept, since a model has no price. */
export function needPrices(models: readonly RunModel[], usd: number | undefined, providers: readonly Provider[]): void {
  if (usd === undefined) return
  const unknown = models.filter(({ spec, price }) => price === null && costsMoney(spec, providers))
  if (unknown.length > 0)
    throw new UsageError(
      `a limit of $${usd} needs the price of ${unknown.map(({ name }) => name).join(', ')}: --price INPUT,OUTPUT, or "price: { input, output }" beside the model in an experiment, in US dollars for a million tokens; 0 for what is free`,
    )
}

/** US dollars for what a call used; undefined where the price or the counts are not known. */
export function costOf(price: RunModel['price'], usage: TokenUsage): number | undefined {
  if (price === null || usage.inputTokens === undefined || usage.outputTokens === undefined) return undefined
  return (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1e6
}

/** What is spent and what calls under way may still cost, against a ceiling. */
export class Budget {
  private spent: number
  private reserved = 0
  private readonly ceiling: number | null

  constructor(ceiling: number | null, spent: number) {
    this.ceiling = ceiling
    this.spent = spent
  }

  get usd(): number {
    return this.spent
  }

  /** Sets money aside for a call; false: it could break the ceiling. */
  reserve(usd: number): boolean {
    if (this.ceiling !== null && usd > 0 && this.spent + this.reserved + usd > this.ceiling) return false
    this.reserved += usd
    return true
  }

  /** The call is over; `usd` is what it cost, 0 for one without an answer. */
  settle(reserved: number, usd: number): void {
    this.reserved -= reserved
    this.spent += usd
  }
}
