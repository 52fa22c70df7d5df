import { UsageError } from '../../core/index.ts'
import { type Comparison, compareSides, MIN_SHARED, type PairEffect } from '../../report/index.ts'
import type { CompareDocument, ShownEffect } from '../api/index.ts'
import { compareDocument } from '../api/index.ts'
import type { ViewedRun } from './open-runs.ts'
import { parserIn, queryOf, runDocument, subsetIn } from './run-document.ts'
import { confidenceOf, type Subset, subsetFrames } from './subset.ts'

export interface CompareRequest {
  readonly a: string
  readonly b: string
  readonly parser: string
  /** null: all items. */
  readonly subset: Subset | null
}

/** Two models of a run on shared items: the numbers of `touchstone compare`, as A − B. */
export async function compareOf(viewed: ViewedRun, { a, b, parser, subset }: CompareRequest): Promise<CompareDocument> {
  const all = await viewed.frames()
  const nothing: CompareDocument = { schema: 'touchstone/view-compare/1', a, b, parser, subsetSize: null, found: null }
  if (all === null) return nothing
  const { frames, subsetSize } = await subsetFrames(viewed, all, subset)
  const none = { ...nothing, subsetSize }
  const known = all.frame(parser)?.category('model').levels
  if (known === undefined) throw new UsageError(`no row of this run was read by the parser "${parser}"`)
  if (!known.includes(a) || !known.includes(b)) return none
  return viewed.remembered(`compare ${JSON.stringify([a, b, parser, subset])}`, () => {
    const side = (model: string) => ({ name: model, frames, model })
    const found = compareSides(side(a), side(b), 'model', viewed.here.runnable, {
      parser,
      levels: 'all',
      ...(subset === null ? {} : { confidence: confidenceOf(subset.views) }),
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

/** Pairs of models that are exported: those of ten models. */
const MAX_PAIRS = 45

export const compareRunDocument = runDocument({
  schema: compareDocument,
  answer(viewed, query) {
    const [a, b] = [query.get('a') ?? '', query.get('b') ?? '']
    return compareOf(viewed, { a, b, parser: parserIn(query), subset: subsetIn(query) })
  },
  exported: ({ models }) =>
    models.flatMap((a, i) => models.slice(i + 1).map((b) => queryOf({ a, b }))).slice(0, MAX_PAIRS),
})
