import { hint, type Outcome, UsageError } from '../../core/index.ts'
import { anytimeInterval, anytimeTest } from '../../libraries/statistics/anytime.ts'
import type { InterimAnalysis, ModelInterim, Until, UntilState } from '../../runner/plan/experiment.ts'
import type { RunModel } from '../../runner/plan/resolve.ts'
import { rightness } from '../../runner/scoring/score.ts'
import type { StoredItem, UnitSize } from '../../store/index.ts'

interface Seen {
  ended: number
  n: number
  sum: number
}

/** Units in the order of their calls, as far as they count: of one model, or of two that are compared. */
interface Line {
  readonly models: readonly string[]
  readonly units: readonly string[]
  next: number
  /** Accuracies, or differences of two, of the units that count. */
  readonly values: number[]
}

/**
 * The sequential test of a stopping rule. The unit is a group of items (the item, if there is one group only): it counts once,
 * when all calls of the models concerned have ended in it and in all earlier units, with the accuracy over those with a response.
 * Counting units as they end would select by outcome: if correct responses are quick, they come first.
 */
export class SequentialTest {
  private readonly until: Until
  private readonly rule: Rule
  private readonly sizes = new Map<string, number>()
  private readonly seen = new Map<string, Seen>()
  private readonly models: readonly string[]
  private readonly lines: readonly Line[]
  private readonly analyses: InterimAnalysis[]
  private readonly byItem: boolean
  /** Units of all models at the last analysis. */
  private looked = 0
  private known: string | null

  /**
   * @param sizes - in the order of the units' calls.
   * @param before - analyses and verdict of earlier processes: their units are counted again, but not analysed again.
   */
  constructor(
    until: Until,
    models: readonly string[],
    sizes: readonly UnitSize[],
    byItem: boolean,
    before: Pick<UntilState, 'interim' | 'verdict'> = { interim: [], verdict: null },
  ) {
    this.byItem = byItem
    this.until = until
    this.rule = parseUntil(until.rule, models)
    this.models = models
    this.analyses = [...before.interim]
    this.known = before.verdict
    for (const { unit, model, calls } of sizes) this.sizes.set(`${model}\n${unit}`, calls)
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
    return { ...this.until, interim: this.analyses, verdict: this.known }
  }

  get verdict(): string | null {
    return this.known
  }

  /** Models that the rule compares. */
  get compared(): ReadonlySet<string> {
    return new Set(this.lines.flatMap(({ models }) => models))
  }

  /**
   * A call has ended.
   *
   * @returns whether there was an analysis
   */
  addOutcome(
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
          if (when === 'now' && line.values.length % this.until.checkEvery === 0) {
            this.analyze()
            looked = true
          }
    return looked
  }

  /** Counts the next unit with responses, if it has ended. @returns whether there was one */
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

  /** Makes an interim analysis. */
  analyze(): void {
    const counted = this.lines.reduce((sum, { values }) => sum + values.length, 0)
    if (this.known !== null || counted === this.looked) return
    this.looked = counted
    const { rule, until } = this
    if (rule.kind === 'better') {
      const [{ values }] = this.lines as [Line]
      const { above: eGreater, below: eLess, mean } = anytimeTest(values)
      this.analyses.push({ kind: 'better', groups: values.length, difference: mean, eGreater, eLess })
      const enough = 2 / until.alpha
      if (eGreater >= enough) this.known = `${rule.a} > ${rule.b}`
      else if (eLess >= enough) this.known = `${rule.b} > ${rule.a}`
      return
    }
    const models = this.lines.flatMap(({ models: [model = ''], values }): ModelInterim[] => {
      const found = anytimeInterval(values, until.alpha / this.models.length)
      return found === null
        ? []
        : [{ model, groups: values.length, accuracy: found.mean, low: found.low, high: found.high }]
    })
    this.analyses.push({ kind: 'width', groups: Math.min(...this.lines.map(({ values }) => values.length)), models })
    if (models.length === this.models.length && models.every(({ low, high }) => high - low < rule.below))
      this.known = `all widths < ${rule.below}`
  }
}

type Rule =
  | { readonly kind: 'better'; readonly a: string; readonly b: string }
  | { readonly kind: 'width'; readonly below: number }

/** @throws UsageError naming the models there are. */
export function parseUntil(text: string, models: readonly string[]): Rule {
  const width = /^\s*width\s*<\s*(\d*\.?\d+)\s*$/u.exec(text)
  if (width !== null) {
    const below = Number(width[1])
    if (below > 0 && below < 1) return { kind: 'width', below }
    throw new UsageError(`until "${text}": a width of an interval of accuracies lies between 0 and 1`)
  }
  // A model's name may contain the sign itself: the rule is split where both sides are models.
  const cuts = [...text].flatMap((sign, at) =>
    sign === '>' ? [[text.slice(0, at).trim(), text.slice(at + 1).trim()]] : [],
  )
  const found = cuts.find(([a, b]) => models.includes(a ?? '') && models.includes(b ?? '') && a !== b)
  if (found !== undefined) return { kind: 'better', a: found[0] as string, b: found[1] as string }
  const [a = '', b = ''] = cuts[0] ?? []
  const wrong = [a, b].find((name) => !models.includes(name))
  throw new UsageError(
    cuts.length === 0
      ? `until "${text}": expected "A>B" with two models of this run, or "width<0.05"`
      : wrong === undefined
        ? `until "${text}": a model cannot be compared with itself`
        : `until "${text}": no model is called "${wrong}"${hint(wrong, models)}; there are ${models.join(', ')}`,
  )
}

/** @throws UsageError if the rule names no models, or one is called in batches, which end all at once */
export function checkUntil(until: Until, models: readonly RunModel[]): void {
  parseUntil(
    until.rule,
    models.map(({ name }) => name),
  )
  const batched = models.find(({ batch }) => batch !== undefined)
  if (batched !== undefined)
    throw new UsageError(`until: ${batched.name} is asked in batches, which cannot be stopped when enough is known`)
}
