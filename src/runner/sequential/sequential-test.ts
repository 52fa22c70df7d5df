import type { Outcome } from '../../core/index.ts'
import { anytimeInterval, anytimeTest } from '../../stats/anytime.ts'
import type { StoredItem, UnitSize } from '../../store/index.ts'
import { rightness } from '../scoring/score.ts'
import { type Rule, ruleOf, type Until } from './rule.ts'

/** What one look saw. */
export type Look =
  | {
      readonly kind: 'better'
      /** Groups of items that both models have ended. */
      readonly units: number
      /** Mean over units of the accuracy of A less that of B; null: of none. */
      readonly difference: number | null
      /** E-values of A > B and of B > A; known where one reaches 2 / alpha. */
      readonly above: number
      readonly below: number
    }
  | { readonly kind: 'width'; readonly units: number; readonly models: readonly ModelLook[] }

export interface ModelLook {
  readonly model: string
  readonly units: number
  readonly accuracy: number
  readonly low: number
  readonly high: number
}

/** A rule at work: what was planned, what each look saw, and what is known. */
export interface UntilState extends Until {
  readonly looks: readonly Look[]
  /** null: not known (yet). */
  readonly verdict: string | null
}

interface Seen {
  ended: number
  n: number
  sum: number
}

/** Units in the order in which they are asked, as far as they count: of one model, or of two that are compared. */
interface Line {
  readonly models: readonly string[]
  readonly units: readonly string[]
  next: number
  /** Accuracies, or differences of two, of the units that count. */
  readonly values: number[]
}

/**
 * Watches a run for what its rule asks. The unit is a group of items (the item, where there is one group only): it counts
 * once, when all cells of the models concerned have ended in it and in all units that are asked before it, with the accuracy over those
 * that were answered. Units that count as they end would be a choice by outcome: where right answers are quick, they come first.
 */
export class Watch {
  private readonly until: Until
  private readonly rule: Rule
  private readonly sizes = new Map<string, number>()
  private readonly seen = new Map<string, Seen>()
  private readonly models: readonly string[]
  private readonly lines: readonly Line[]
  private readonly looks: Look[]
  private readonly byItem: boolean
  /** Units of all models at the last look. */
  private looked = 0
  private known: string | null

  /**
   * @param sizes - in the order in which the units are asked.
   * @param before - what earlier processes saw and know: it is counted again, and not looked at again; what is known stays known.
   */
  constructor(
    until: Until,
    models: readonly string[],
    sizes: readonly UnitSize[],
    byItem: boolean,
    before: Pick<UntilState, 'looks' | 'verdict'> = { looks: [], verdict: null },
  ) {
    this.byItem = byItem
    this.until = until
    this.rule = ruleOf(until.rule, models)
    this.models = models
    this.looks = [...before.looks]
    this.known = before.verdict
    for (const { unit, model, cells } of sizes) this.sizes.set(`${model}\n${unit}`, cells)
    const order = [...new Set(sizes.map(({ unit }) => unit))]
    const lines = this.rule.kind === 'better' ? [[this.rule.a, this.rule.b]] : models.map((model) => [model])
    this.lines = lines.map((asked) => ({
      models: asked,
      units: order.filter((unit) => asked.every((model) => this.sizes.has(`${model}\n${unit}`))),
      next: 0,
      values: [],
    }))
  }

  get state(): UntilState {
    return { ...this.until, looks: this.looks, verdict: this.known }
  }

  get verdict(): string | null {
    return this.known
  }

  /** Models that the rule asks about. */
  get compared(): ReadonlySet<string> {
    return new Set(this.lines.flatMap(({ models }) => models))
  }

  /**
   * A cell has ended.
   *
   * @returns whether there was a look.
   */
  ended(
    item: Pick<StoredItem, 'id' | 'group'>,
    model: string,
    outcome: Outcome | null,
    when: 'now' | 'before',
  ): boolean {
    const key = `${model}\n${this.byItem ? item.id : item.group}`
    const seen = this.seen.get(key) ?? { ended: 0, n: 0, sum: 0 }
    this.seen.set(key, seen)
    seen.ended++
    const value = outcome === null ? null : rightness(outcome)
    if (value !== null) {
      seen.n++
      seen.sum += value
    }
    let looked = false
    for (const line of this.lines)
      if (line.models.includes(model))
        while (this.counts(line))
          if (when === 'now' && line.values.length % this.until.every === 0) {
            this.look()
            looked = true
          }
    return looked
  }

  /** The next unit that was answered counts, if it has ended. @returns whether there was one. */
  private counts(line: Line): boolean {
    for (; line.next < line.units.length; line.next++) {
      const unit = line.units[line.next] as string
      const seen = line.models.map((model) => this.complete(unit, model))
      if (seen.includes(null)) return false
      const accuracies = (seen as readonly Seen[]).flatMap(({ n, sum }) => (n === 0 ? [] : [sum / n]))
      if (accuracies.length < line.models.length) continue
      const [a = 0, b = 0] = accuracies
      line.values.push(a - b)
      line.next++
      return true
    }
    return false
  }

  private complete(unit: string, model: string): Seen | null {
    const key = `${model}\n${unit}`
    const seen = this.seen.get(key)
    return seen !== undefined && seen.ended === this.sizes.get(key) ? seen : null
  }

  /** Looks, and notes what was seen. */
  look(): void {
    const counted = this.lines.reduce((sum, { values }) => sum + values.length, 0)
    if (this.known !== null || counted === this.looked) return
    this.looked = counted
    const { rule, until } = this
    if (rule.kind === 'better') {
      const [{ values }] = this.lines as [Line]
      const { above, below, mean } = anytimeTest(values)
      this.looks.push({ kind: 'better', units: values.length, difference: mean, above, below })
      const enough = 2 / until.alpha
      if (above >= enough) this.known = `${rule.a} > ${rule.b}`
      else if (below >= enough) this.known = `${rule.b} > ${rule.a}`
      return
    }
    const models = this.lines.flatMap(({ models: [model = ''], values }): ModelLook[] => {
      const found = anytimeInterval(values, until.alpha / this.models.length)
      return found === null
        ? []
        : [{ model, units: values.length, accuracy: found.mean, low: found.low, high: found.high }]
    })
    this.looks.push({ kind: 'width', units: Math.min(...this.lines.map(({ values }) => values.length)), models })
    if (models.length === this.models.length && models.every(({ low, high }) => high - low < rule.below))
      this.known = `all widths < ${rule.below}`
  }
}
