import { UsageError } from '../../core/index.ts'
import {
  type GroupedCurve,
  groupedPsychometric,
  type LevelCandidate,
  type LevelChooser,
  type LevelCounts,
  levelChooser,
  type Threshold,
} from '../../libraries/statistics/index.ts'
import type { Adapt, AdaptiveStep, EndReason } from '../../runner/plan/experiment.ts'

/** An item at a parameter value. */
export interface ScheduledItem {
  readonly id: string
  /** Independent unit: the group of the item, or the item. */
  readonly unit: string
}

/** A parameter value with all its items, in the order of their calls. */
export interface ParameterValue {
  readonly at: number
  /** Chance baseline there. */
  readonly chance: number
  readonly items: readonly ScheduledItem[]
}

/** The outcome of the call on an item; `right` null: no response that counts. */
export interface ItemAnswer {
  readonly right: 0 | 1 | null
  /** US dollars; null: not known, or free. */
  readonly usd: number | null
}

/**
 * Least design effect: responses that were sampled adaptively vary more than those of a fixed plan. With it, 95 % intervals cover
 * the threshold as often as they should (simulation in docs/statistics.md).
 */
const CHOSEN = 1.75

/**
 * The adaptive calls of one model along a parameter. All decisions follow from the order of the items and from their outcomes,
 * whenever these came: a process that resumes continues as the one before would have.
 */
export class ModelSchedule {
  private readonly adapt: Adapt
  private readonly enough: StopRule | null
  private readonly levels: ReadonlyMap<number, ParameterValue>
  private readonly list: readonly ParameterValue[]
  private readonly answers = new Map<string, ItemAnswer>()
  private readonly made: AdaptiveStep[]
  /** Items of the steps so far without an outcome, in order; and those of them that were leased. */
  private readonly open = new Set<string>()
  private readonly handed = new Set<string>()
  private choose: LevelChooser | null = null

  /**
   * @param levels - in ascending order of the parameter.
   * @param before - the steps of earlier processes: they hold, whatever came of them since.
   * @param answers - earlier outcomes, by item id.
   */
  constructor(
    adapt: Adapt,
    levels: readonly ParameterValue[],
    before: readonly AdaptiveStep[] = [],
    answers: ReadonlyMap<string, ItemAnswer> = new Map(),
  ) {
    this.adapt = adapt
    this.enough = adapt.until === undefined ? null : parseStopRule(adapt.until)
    this.list = levels
    this.levels = new Map(levels.map((level) => [level.at, level]))
    this.made = [...before]
    for (const item of this.asked(this.made)) {
      const answer = answers.get(item.id)
      if (answer === undefined) this.open.add(item.id)
      else this.answers.set(item.id, answer)
    }
    // An item may have ended in a step that was not saved.
    for (const { items } of levels)
      for (const { id } of items) {
        const answer = answers.get(id)
        if (answer !== undefined) this.answers.set(id, answer)
      }
  }

  get steps(): readonly AdaptiveStep[] {
    return this.made
  }

  /** Items chosen so far. */
  get chosen(): number {
    return this.made.reduce((sum, { items }) => sum + items, 0)
  }

  /** Most items that can be chosen. */
  get maxItems(): number {
    const there = this.list.reduce((sum, { items }) => sum + items.length, 0)
    return Math.min(this.adapt.maxItems, there)
  }

  /** Why the model is called no more; null: a step is in progress, or another follows. */
  get end(): EndReason | null {
    if (this.open.size > 0) return null
    const threshold = this.made.at(-1)?.estimate?.threshold ?? null
    if (this.enough !== null && isPreciseEnough(this.enough, threshold)) return 'precise'
    if (this.chosen >= this.adapt.maxItems) return 'max-items'
    return this.chosen >= this.maxItems ? 'no-items-left' : null
  }

  /** The curve of all responses so far. */
  curve(): GroupedCurve {
    return this.curveOf(this.made)
  }

  /** Items of the present step that were not leased yet. */
  get waiting(): number {
    return this.open.size - this.handed.size
  }

  /** Takes up to `n` of them. */
  take(n: number): readonly string[] {
    const ids = [...this.open].filter((id) => !this.handed.has(id)).slice(0, n)
    for (const id of ids) this.handed.add(id)
    return ids
  }

  /** A call has ended. @returns whether its step has */
  addAnswer(id: string, answer: ItemAnswer): boolean {
    if (!this.open.delete(id)) return false
    this.handed.delete(id)
    this.answers.set(id, answer)
    if (this.open.size > 0) return false
    this.advance()
    return true
  }

  /** Chooses the next step, unless one is in progress or the schedule has ended. */
  advance(): void {
    while (this.open.size === 0) {
      this.close()
      if (this.end !== null) return
      const left = this.list.map(({ at, items }) => ({ at, left: items.length - this.taken(at) }))
      const at = this.next(left)
      const room = left.find((one) => one.at === at)?.left ?? 0
      const round = {
        at,
        items: Math.min(this.adapt.checkEvery, room, this.adapt.maxItems - this.chosen),
        estimate: null,
      }
      this.made.push(round)
      for (const { id } of this.asked(this.made).slice(-round.items)) if (!this.answers.has(id)) this.open.add(id)
    }
  }

  /** Writes into every finished step what was known at its end. */
  private close(): void {
    for (const [k, round] of this.made.entries()) {
      if (round.estimate !== null) continue
      const { curve, levels } = this.curveOf(this.made.slice(0, k + 1))
      const answers = levels.reduce((sum, { n }) => sum + n, 0)
      const threshold = curve.kind === 'curve' ? curve[this.enough?.threshold ?? 'x50'] : null
      this.made[k] = { ...round, estimate: { answers, threshold } }
    }
  }

  private next(left: readonly { readonly at: number; readonly left: number }[]): number {
    this.choose ??= levelChooser(
      this.list.map(({ at }) => at),
      this.enough?.threshold,
    )
    const costs = this.costs()
    const askable = left.map(
      (one): LevelCandidate => ({
        ...one,
        chance: this.chance(one.at),
        ...(costs === null ? {} : { cost: costs(one.at) }),
      }),
    )
    const next = this.choose(this.curveLevels(), askable)
    if (next === null) throw new Error('a schedule that has not ended has a next step')
    return next
  }

  private chance(at: number): number {
    return this.levels.get(at)?.chance ?? 0
  }

  private taken(at: number): number {
    return this.made.reduce((sum, round) => (round.at === at ? sum + round.items : sum), 0)
  }

  /** The items of steps, in their order. */
  private asked(steps: readonly AdaptiveStep[]): readonly (ScheduledItem & { readonly at: number })[] {
    const taken = new Map<number, number>()
    return steps.flatMap(({ at, items }) => {
      const from = taken.get(at) ?? 0
      taken.set(at, from + items)
      return (this.levels.get(at)?.items ?? []).slice(from, from + items).map((item) => ({ ...item, at }))
    })
  }

  private answered(steps: readonly AdaptiveStep[]) {
    return this.asked(steps).flatMap((item) => {
      const answer = this.answers.get(item.id)
      return answer === undefined || answer.right === null
        ? []
        : [{ at: item.at, unit: item.unit, right: answer.right, usd: answer.usd }]
    })
  }

  private curveOf(steps: readonly AdaptiveStep[]): GroupedCurve {
    const answers = this.answered(steps)
    const units = new Map<string, number>()
    for (const { unit } of answers) if (!units.has(unit)) units.set(unit, units.size)
    return groupedPsychometric({
      at: answers.map(({ at }) => at),
      right: answers.map(({ right }) => right),
      clusters: answers.map(({ unit }) => units.get(unit) as number),
      chance: (at) => this.chance(at),
      least: CHOSEN,
    })
  }

  private curveLevels(): readonly LevelCounts[] {
    const levels = new Map<number, { n: number; right: number }>()
    for (const { at, right } of this.answered(this.made)) {
      const level = levels.get(at) ?? { n: 0, right: 0 }
      levels.set(at, { n: level.n + 1, right: level.right + right })
    }
    return [...levels].map(([at, level]) => ({ at, ...level, chance: this.chance(at) }))
  }

  /** Cost of a response at a value: the mean there, or interpolated between the nearest values with responses; null: all equal. */
  private costs(): ((at: number) => number) | null {
    const sums = new Map<number, { n: number; usd: number }>()
    for (const { at, usd } of this.answered(this.made)) {
      if (usd === null) return null
      const sum = sums.get(at) ?? { n: 0, usd: 0 }
      sums.set(at, { n: sum.n + 1, usd: sum.usd + usd })
    }
    const known = [...sums].map(([at, { n, usd }]) => ({ at, usd: usd / n })).sort((a, b) => a.at - b.at)
    if (known.length === 0 || known.some(({ usd }) => usd <= 0)) return null
    return (at) => {
      const above = known.find((one) => one.at >= at)
      const below = known.findLast((one) => one.at <= at)
      if (above === undefined || below === undefined || above === below)
        return ((above ?? below) as { usd: number }).usd
      return below.usd + ((above.usd - below.usd) * (at - below.at)) / (above.at - below.at)
    }
  }
}

/** The precision at which a model is called no more. */
interface StopRule {
  readonly threshold: 'x50' | 'x75'
  /** `width` of the 95 % interval, or its standard error. */
  readonly measure: 'width' | 'se'
  readonly below: number
}

/** @throws UsageError */
export function parseStopRule(text: string): StopRule {
  const found = /^\s*(x50|x75)\s+(width|se)\s*<\s*(\d*\.?\d+)\s*$/u.exec(text)
  const below = Number(found?.[3])
  if (found === null || !(below > 0))
    throw new UsageError(
      `until "${text}": an adaptive run stops at "x50 width<2" or "x75 se<0.5", in steps of its parameter`,
    )
  return { threshold: found[1] as StopRule['threshold'], measure: found[2] as StopRule['measure'], below }
}

/** Half a 95 % interval in standard errors. */
const HALF = 1.96

/** Is the threshold as precise as required? An interval that is cut off by the range of values is not. */
export function isPreciseEnough({ measure, below }: StopRule, threshold: Threshold | null): boolean {
  if (threshold === null || threshold.kind === 'outside' || threshold.open !== 'neither') return false
  const width = threshold.high - threshold.low
  return (measure === 'width' ? width : width / (2 * HALF)) < below
}
