import type { TokenUsage } from '../models/index.ts'
import type { RunModel } from './resolve.ts'

/** Rough: four characters a token, as English text has with common tokenizers. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / 4)

/** Output tokens to reserve for a call whose settings set no limit. */
export const OUTPUT_GUESS = 4096

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
    if (this.ceiling !== null && this.spent + this.reserved + usd > this.ceiling) return false
    this.reserved += usd
    return true
  }

  /** The call is over; `usd` is what it cost, 0 for one without an answer. */
  settle(reserved: number, usd: number): void {
    this.reserved -= reserved
    this.spent += usd
  }
}
