import { UsageError } from '../../core/index.ts'
import { type Comparison, compareSides, MIN_SHARED, type PairEffect } from '../../report/index.ts'
import type { CompareDocument, ShownEffect } from '../api/index.ts'
import { type Choice, chosenFrames, levelOf } from './chosen.ts'
import type { ViewedRun } from './open-runs.ts'

export interface CompareRequest {
  readonly a: string
  readonly b: string
  readonly parser: string
  /** null: all items. */
  readonly choice: Choice | null
}

/** Two models of a run on the items that both were asked: the numbers of `touchstone compare`, as A - B. */
export async function compareOf(viewed: ViewedRun, { a, b, parser, choice }: CompareRequest): Promise<CompareDocument> {
  const all = await viewed.frames()
  const nothing: CompareDocument = { schema: 'touchstone/view-compare/1', a, b, parser, chosen: null, found: null }
  if (all === null) return nothing
  const { frames, chosen } = await chosenFrames(viewed, all, choice)
  const none = { ...nothing, chosen }
  const known = all.frame(parser)?.category('model').levels
  if (known === undefined) throw new UsageError(`no row of this run was read by the parser "${parser}"`)
  if (!known.includes(a) || !known.includes(b)) return none
  return viewed.remembered(`compare ${JSON.stringify([a, b, parser, choice])}`, () => {
    const side = (model: string) => ({ name: model, frames, model })
    const found = compareSides(side(a), side(b), 'model', viewed.here.runnable, {
      parser,
      levels: 'all',
      ...(choice === null ? {} : { confidence: levelOf(choice.looks) }),
    })
    return Promise.resolve(found === null ? none : { ...none, found: shownOf(found) })
  })
}

function shownOf({ overall, sequential, tasks, byFeature }: Comparison): CompareDocument['found'] {
  return {
    overall: effectOf(overall),
    evidence: { ...sequential, path: [...sequential.path] },
    tasks: tasks.map((one) => ({ task: one.task, ...effectOf(one) })),
    levels: byFeature.map((one) => {
      const { task, feature, name, level, holm } = one
      return { task, feature, name, level, holm, ...effectOf(one) }
    }),
    fewest: MIN_SHARED,
  }
}

const effectOf = ({ items, accuracyA, accuracyB, difference, p, onlyA, onlyB }: PairEffect): ShownEffect => ({
  items,
  accuracyA,
  accuracyB,
  difference,
  p,
  onlyA,
  onlyB,
})
