import {
  type Askable,
  type GroupedCurve,
  groupedPsychometric,
  type KnobLevel,
  type LevelChooser,
  levelChooser,
  type Threshold,
} from '../../stats/index.ts'
import { type Adapt, type Enough, enoughOf, isEnough } from './stop-rule.ts'

/** An item that can be asked at a value of the knob. */
export interface PathItem {
  readonly id: string
  /** What is independent of others: the group of the item, or the item. */
  readonly unit: string
}

/** A value of the knob with all its items, in the order in which they are asked. */
export interface PathLevel {
  readonly at: number
  /** The share right of who guesses there. */
  readonly chance: number
  readonly items: readonly PathItem[]
}

/** What came of an item; `right` null: no answer that counts. */
export interface PathAnswer {
  readonly right: 0 | 1 | null
  /** US dollars; null: not known, or free. */
  readonly usd: number | null
}

/** One choice: so many items more at a value of the knob, by all answers before it. */
export interface Round {
  readonly at: number
  readonly items: number
  /** What all answers up to its end told; null: it is under way. */
  readonly told: RoundTold | null
}

export interface RoundTold {
  /** Answers so far. */
  readonly answers: number
  /** Where the model breaks by then; null: no curve yet. */
  readonly threshold: Threshold | null
}

/** Why a model is asked nothing more. */
export type PathEnd = 'known' | 'most' | 'exhausted'

/**
 * Answers that were chosen and stopped by themselves vary more than those of a plan: with this the 95 % intervals hold the
 * threshold as often as they say (docs/statistics.md has the simulation).
 */
const CHOSEN = 1.75

/**
 * How one model is asked along a knob. All that it decides follows from the order of the items and from what came of them,
 * whenever that came: a process that takes the path up again goes on as the one before would have.
 */
export class Path {
  private readonly adapt: Adapt
  private readonly enough: Enough | null
  private readonly levels: ReadonlyMap<number, PathLevel>
  private readonly list: readonly PathLevel[]
  private readonly answers = new Map<string, PathAnswer>()
  private readonly made: Round[]
  /** Items of the rounds so far without an answer, in order; and those of them that were handed out. */
  private readonly open = new Set<string>()
  private readonly handed = new Set<string>()
  private choose: LevelChooser | null = null

  /**
   * @param levels - in ascending order of the knob.
   * @param before - the choices of earlier processes: they hold, whatever came of them since.
   * @param answers - what came of items before, by id.
   */
  constructor(
    adapt: Adapt,
    levels: readonly PathLevel[],
    before: readonly Round[] = [],
    answers: ReadonlyMap<string, PathAnswer> = new Map(),
  ) {
    this.adapt = adapt
    this.enough = adapt.until === undefined ? null : enoughOf(adapt.until)
    this.list = levels
    this.levels = new Map(levels.map((level) => [level.at, level]))
    this.made = [...before]
    for (const item of this.asked(this.made)) {
      const answer = answers.get(item.id)
      if (answer === undefined) this.open.add(item.id)
      else this.answers.set(item.id, answer)
    }
    // An item may have ended in a round that was not written down any more.
    for (const { items } of levels)
      for (const { id } of items) {
        const answer = answers.get(id)
        if (answer !== undefined) this.answers.set(id, answer)
      }
  }

  get rounds(): readonly Round[] {
    return this.made
  }

  /** Items that were chosen so far. */
  get chosen(): number {
    return this.made.reduce((sum, { items }) => sum + items, 0)
  }

  /** Most items that will be. */
  get most(): number {
    const there = this.list.reduce((sum, { items }) => sum + items.length, 0)
    return Math.min(this.adapt.maxItems, there)
  }

  /** Why nothing more is asked; null: a round is under way, or another follows. */
  get end(): PathEnd | null {
    if (this.open.size > 0) return null
    const threshold = this.made.at(-1)?.told?.threshold ?? null
    if (this.enough !== null && isEnough(this.enough, threshold)) return 'known'
    if (this.chosen >= this.adapt.maxItems) return 'most'
    return this.chosen >= this.most ? 'exhausted' : null
  }

  /** All answers so far as a curve. */
  curve(): GroupedCurve {
    return this.curveOf(this.made)
  }

  /** Items of the round under way that were not handed out yet. */
  get waiting(): number {
    return this.open.size - this.handed.size
  }

  /** Hands out up to `n` of them. */
  take(n: number): readonly string[] {
    const ids = [...this.open].filter((id) => !this.handed.has(id)).slice(0, n)
    for (const id of ids) this.handed.add(id)
    return ids
  }

  /** An item has ended. @returns whether a round did. */
  ended(id: string, answer: PathAnswer): boolean {
    if (!this.open.delete(id)) return false
    this.handed.delete(id)
    this.answers.set(id, answer)
    if (this.open.size > 0) return false
    this.advance()
    return true
  }

  /** Looks at what the last round told and chooses the next, unless one is under way or the path has ended. */
  advance(): void {
    while (this.open.size === 0) {
      this.close()
      if (this.end !== null) return
      const left = this.list.map(({ at, items }) => ({ at, left: items.length - this.taken(at) }))
      const at = this.next(left)
      const room = left.find((one) => one.at === at)?.left ?? 0
      const round = {
        at,
        items: Math.min(this.adapt.every, room, this.adapt.maxItems - this.chosen),
        told: null,
      }
      this.made.push(round)
      for (const { id } of this.asked(this.made).slice(-round.items)) if (!this.answers.has(id)) this.open.add(id)
    }
  }

  /** Every round that is over says what was known at its end. */
  private close(): void {
    for (const [k, round] of this.made.entries()) {
      if (round.told !== null) continue
      const { curve, levels } = this.curveOf(this.made.slice(0, k + 1))
      const answers = levels.reduce((sum, { n }) => sum + n, 0)
      const threshold = curve.kind === 'curve' ? curve[this.enough?.threshold ?? 'x50'] : null
      this.made[k] = { ...round, told: { answers, threshold } }
    }
  }

  private next(left: readonly { readonly at: number; readonly left: number }[]): number {
    this.choose ??= levelChooser(
      this.list.map(({ at }) => at),
      this.enough?.threshold,
    )
    const costs = this.costs()
    const askable = left.map(
      (one): Askable => ({
        ...one,
        chance: this.chance(one.at),
        ...(costs === null ? {} : { cost: costs(one.at) }),
      }),
    )
    const next = this.choose(this.curveLevels(), askable)
    if (next.kind !== 'ask') throw new Error('a path that has not ended has something to ask')
    return next.at
  }

  private chance(at: number): number {
    return this.levels.get(at)?.chance ?? 0
  }

  private taken(at: number): number {
    return this.made.reduce((sum, round) => (round.at === at ? sum + round.items : sum), 0)
  }

  /** The items of rounds, in their order. */
  private asked(rounds: readonly Round[]): readonly (PathItem & { readonly at: number })[] {
    const taken = new Map<number, number>()
    return rounds.flatMap(({ at, items }) => {
      const from = taken.get(at) ?? 0
      taken.set(at, from + items)
      return (this.levels.get(at)?.items ?? []).slice(from, from + items).map((item) => ({ ...item, at }))
    })
  }

  private answered(rounds: readonly Round[]) {
    return this.asked(rounds).flatMap((item) => {
      const answer = this.answers.get(item.id)
      return answer === undefined || answer.right === null
        ? []
        : [{ at: item.at, unit: item.unit, right: answer.right, usd: answer.usd }]
    })
  }

  private curveOf(rounds: readonly Round[]): GroupedCurve {
    const answers = this.answered(rounds)
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

  private curveLevels(): readonly KnobLevel[] {
    const levels = new Map<number, { n: number; right: number }>()
    for (const { at, right } of this.answered(this.made)) {
      const level = levels.get(at) ?? { n: 0, right: 0 }
      levels.set(at, { n: level.n + 1, right: level.right + right })
    }
    return [...levels].map(([at, level]) => ({ at, ...level, chance: this.chance(at) }))
  }

  /** What an answer costs at a value: the mean there, or on the line between the nearest values that were answered; null: all alike. */
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
