import type { Frame } from '../core/index.ts'
import { UsageError } from '../core/index.ts'
import { type Contamination, type Contrast, contamination, mean } from '../libraries/statistics/index.ts'
import { textsIn } from './rows.ts'

export interface ContaminationPlan {
  readonly model: string
  /** Models released before the items were published. */
  readonly before: readonly string[]
  /** Columns whose values make a stratum. */
  readonly strata: readonly string[]
}

export interface ContaminationReport {
  readonly result: Contamination
  /** Each reference against the others: the result for models that cannot have seen the items. */
  readonly placebos: readonly { readonly model: string; readonly result: Contamination | null }[]
  /** Items omitted because one of the models has no outcome. */
  readonly incomplete: number
}

/**
 * Is `model` better on published items than fresh items and earlier models explain? Items count where all models have an outcome;
 * samples of an item are averaged; unparsed, truncated and refused responses count as incorrect.
 * @throws UsageError where a model, a column or a stratum with two groups on both sides is missing.
 */
export function contaminationOf(published: Frame, fresh: Frame, plan: ContaminationPlan): ContaminationReport {
  const { model, before } = plan
  if (before.length === 0 || before.includes(model))
    throw new UsageError(
      'expected at least one reference model, released before publication, other than the model. Add --reference MODEL',
    )
  const items = [...itemsOf(published, 'published', plan), ...itemsOf(fresh, 'fresh', plan)]
  const all = [model, ...before]
  for (const side of ['published', 'fresh'] as const)
    for (const name of all)
      if (!items.some((item) => item.side === side && item.scores.has(name)))
        throw new UsageError(`${name} has no outcome on ${side} items. Models with outcomes: ${namesIn(items, side)}`)
  const complete = items.filter(({ scores }) => all.every((name) => scores.has(name)))
  const result = contamination(complete.map((item) => contrast(item, model, before)))
  if (result === null)
    throw new UsageError('no stratum has items of two groups on both sides that all models answered. Use fewer strata')
  const placebos = before.map((name) => {
    const others = before.filter((other) => other !== name)
    return {
      model: name,
      result: others.length === 0 ? null : contamination(complete.map((item) => contrast(item, name, others))),
    }
  })
  return { result, placebos, incomplete: items.length - complete.length }
}

interface Scored {
  readonly side: Contrast['side']
  readonly stratum: string
  readonly group: string
  readonly scores: Map<string, number>
}

const namesIn = (items: readonly Scored[], side: Contrast['side']): string =>
  [...new Set(items.flatMap((item) => (item.side === side ? [...item.scores.keys()] : [])))].sort().join(', ') || 'none'

function contrast({ side, stratum, group, scores }: Scored, model: string, others: readonly string[]): Contrast {
  const middle = mean(others.map((name) => scores.get(name) as number))
  return { side, stratum, group, value: (scores.get(model) as number) - middle }
}

function itemsOf(frame: Frame, side: Contrast['side'], { strata }: ContaminationPlan): Scored[] {
  const missing = strata.filter((name) => !frame.has(name))
  if (missing.length > 0) throw new UsageError(`the rows of the ${side} items have no column ${missing.join(', ')}`)
  const [item, group, model] = [textsIn(frame, 'item'), textsIn(frame, 'group'), textsIn(frame, 'model')]
  const [status, task] = [textsIn(frame, 'status'), textsIn(frame, 'task')]
  const stratumOf = strata.map((name) => textsIn(frame, name))
  const values = frame.has('score') ? frame.number('score') : new Float64Array(frame.length)
  const found = new Map<string, Scored & { readonly sums: Map<string, { sum: number; count: number }> }>()
  for (let row = 0; row < frame.length; row++) {
    if (status(row) === 'error' || status(row) === 'loglikelihood') continue
    const key = item(row)
    let one = found.get(key)
    if (one === undefined) {
      const stratum = [task, ...stratumOf].map((of) => of(row)).join(' / ')
      one = { side, stratum, group: `${side} ${group(row)}`, scores: new Map(), sums: new Map() }
      found.set(key, one)
    }
    const sums = one.sums.get(model(row)) ?? { sum: 0, count: 0 }
    sums.sum += status(row) === 'graded' ? (values[row] as number) : 0
    sums.count++
    one.sums.set(model(row), sums)
    one.scores.set(model(row), sums.sum / sums.count)
  }
  return [...found.values()]
}
