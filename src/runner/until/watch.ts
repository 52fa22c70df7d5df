import type { Outcome } from '../../core/index.ts'
import { anytimeInterval, anytimeTest } from '../../stats/anytime.ts'
import type { StoredItem, UnitSize } from '../../store/index.ts'
import { rightness } from '../rightness.ts'
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

/**
 * Watches a run for what its rule asks. The unit is a group of items (the item, where there is one group only): it counts
 * once, when all cells of the models concerned have ended in it, with the accuracy over those that were answered.
 */
export class Watch {
  private readonly until: Until
  private readonly rule: Rule
  private readonly sizes = new Map<string, number>()
  private readonly seen = new Map<string, Seen>()
  private readonly models: readonly string[]
  /** Accuracies or differences of the units that count, by model; for a comparison under one name. */
  private readonly units = new Map<string, number[]>()
  private readonly looks: Look[]
  private readonly byItem: boolean
  /** Units of all models at the last look. */
  private looked = 0
  private known: string | null = null

  /** @param before - looks of earlier processes: what they saw is counted again, and not looked at again. */
  constructor(
    until: Until,
    models: readonly string[],
    sizes: readonly UnitSize[],
    byItem: boolean,
    before: readonly Look[] = [],
  ) {
    this.byItem = byItem
    this.until = until
    this.rule = ruleOf(until.rule, models)
    this.models = models
    this.looks = [...before]
    for (const { unit, model, cells } of sizes) this.sizes.set(`${model}\n${unit}`, cells)
  }

  get state(): UntilState {
    return { ...this.until, looks: this.looks, verdict: this.known }
  }

  get verdict(): string | null {
    return this.known
  }

  /** Models that the rule asks about. */
  get compared(): ReadonlySet<string> {
    return new Set(this.rule.kind === 'better' ? [this.rule.a, this.rule.b] : this.models)
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
    const group = this.byItem ? item.id : item.group
    const key = `${model}\n${group}`
    const seen = this.seen.get(key) ?? { ended: 0, n: 0, sum: 0 }
    this.seen.set(key, seen)
    seen.ended++
    const value = outcome === null ? null : rightness(outcome)
    if (value !== null) {
      seen.n++
      seen.sum += value
    }
    const counts = this.complete(group, model) && this.count(group, model)
    if (counts && when === 'now') this.look()
    return counts && when === 'now'
  }

  private complete(group: string, model: string): boolean {
    const key = `${model}\n${group}`
    return this.seen.get(key)?.ended === this.sizes.get(key)
  }

  private accuracy(group: string, model: string): number | null {
    const { n, sum } = this.seen.get(`${model}\n${group}`) as Seen
    return n === 0 ? null : sum / n
  }

  /** A group is complete for a model. @returns whether it is time for a look. */
  private count(group: string, model: string): boolean {
    const { rule } = this
    if (rule.kind === 'width') {
      const accuracy = this.accuracy(group, model)
      return accuracy !== null && this.add(model, accuracy)
    }
    if (model !== rule.a && model !== rule.b) return false
    if (!this.complete(group, rule.a) || !this.complete(group, rule.b)) return false
    const [a, b] = [this.accuracy(group, rule.a), this.accuracy(group, rule.b)]
    return a !== null && b !== null && this.add('', a - b)
  }

  private add(name: string, value: number): boolean {
    const list = this.units.get(name) ?? []
    list.push(value)
    this.units.set(name, list)
    return list.length % this.until.every === 0
  }

  /** Looks, and notes what was seen. */
  look(): void {
    const counted = [...this.units.values()].reduce((sum, list) => sum + list.length, 0)
    if (this.known !== null || counted === this.looked) return
    this.looked = counted
    const { rule, until } = this
    const list = (name: string): readonly number[] => this.units.get(name) ?? []
    if (rule.kind === 'better') {
      const { above, below, mean } = anytimeTest(list(''))
      this.looks.push({ kind: 'better', units: list('').length, difference: mean, above, below })
      const enough = 2 / until.alpha
      if (above >= enough) this.known = `${rule.a} > ${rule.b}`
      else if (below >= enough) this.known = `${rule.b} > ${rule.a}`
      return
    }
    const models = this.models.flatMap((model): ModelLook[] => {
      const found = anytimeInterval(list(model), until.alpha / this.models.length)
      return found === null
        ? []
        : [{ model, units: list(model).length, accuracy: found.mean, low: found.low, high: found.high }]
    })
    this.looks.push({ kind: 'width', units: Math.min(...this.models.map((model) => list(model).length)), models })
    if (models.length === this.models.length && models.every(({ low, high }) => high - low < rule.below))
      this.known = `all widths < ${rule.below}`
  }
}
