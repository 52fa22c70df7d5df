import { UsageError } from '../../core/index.ts'
import { type Comparison, compareSides, FEWEST, type PairedEffect } from '../../report/index.ts'
import type { CompareDocument, ShownEffect } from '../api/index.ts'
import type { ViewedRun } from './open-runs.ts'

export interface CompareRequest {
  readonly a: string
  readonly b: string
  readonly parser: string
}

/** Two models of a run on the items that both were asked: the numbers of `touchstone compare`, as A - B. */
export async function compareOf(viewed: ViewedRun, { a, b, parser }: CompareRequest): Promise<CompareDocument> {
  const frames = await viewed.frames()
  const none: CompareDocument = { schema: 'touchstone/view-compare/1', a, b, parser, found: null }
  if (frames === null) return none
  const known = frames.frame(parser)?.category('model').levels
  if (known === undefined) throw new UsageError(`no row of this run was read by the parser "${parser}"`)
  if (!known.includes(a) || !known.includes(b)) return none
  return viewed.remembered(`compare ${JSON.stringify([a, b, parser])}`, () => {
    // The library says by how much its second side is better than its first.
    const [first, second] = [b, a].map((model) => ({ name: model, frames, model })) as [Side, Side]
    const found = compareSides(first, second, 'model', viewed.here.runnable, { parser, levels: 'all' })
    return Promise.resolve(found === null ? none : { ...none, found: shownOf(found) })
  })
}

type Side = Parameters<typeof compareSides>[0]

function shownOf({ overall, evidence, tasks, levels }: Comparison): CompareDocument['found'] {
  return {
    overall: effectOf(overall),
    evidence: { ...eValuesOf(evidence), path: evidence.path.map(eValuesOf) },
    tasks: tasks.map((one) => ({ task: one.task, ...effectOf(one) })),
    levels: levels.map((one) => {
      const { task, feature, name, level, holm } = one
      return { task, feature, name, level, holm, ...effectOf(one) }
    }),
    fewest: FEWEST,
  }
}

const effectOf = ({ items, accuracyA, accuracyB, difference, p, onlyA, onlyB }: PairedEffect): ShownEffect => ({
  items,
  accuracyA: accuracyB,
  accuracyB: accuracyA,
  difference,
  p,
  onlyA: onlyB,
  onlyB: onlyA,
})

const eValuesOf = ({ units, better, worse }: Omit<Comparison['evidence'], 'path'>) => ({ units, a: better, b: worse })
