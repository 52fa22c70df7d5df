import { type ReferenceItems, referenceSets, referencesOf, withReferences } from '../../report/index.ts'
import { loadReferences } from '../../runner/index.ts'
import { type References, type ReferencesByFeature, references, referencesByFeature } from '../api/index.ts'
import { type ByFeatureRequest, byFeatureParts, byFeatureRequest, exportedByFeature, rowsOf } from './by-feature.ts'
import type { ViewedRun } from './open-runs.ts'
import { runDocument, subsetIn } from './run-document.ts'
import { type Subset, subsetFrames } from './subset.ts'

/** Reference lines by item. Slow heuristics take a second, so pages load them last. */
const known = (viewed: ViewedRun): Promise<ReferenceItems> =>
  viewed.remembered('reference items', () => loadReferences(viewed.run))

/** Chance and best heuristic of each condition of the overview, as in the report. */
export async function referencesOfRun(viewed: ViewedRun, subset: Subset | null): Promise<References> {
  const all = await viewed.frames()
  const { frames } = await subsetFrames(viewed, all, subset)
  const items = await known(viewed)
  return viewed.remembered(`references ${JSON.stringify(subset?.filter ?? null)}`, () => {
    const frame = withReferences(frames, items).frame('strict')
    const sets = frame === null ? [] : referenceSets(frame, viewed.here.runnable)
    return Promise.resolve({
      schema: 'touchstone/view-references/1' as const,
      sets: sets.map(({ key, chance, heuristic, heuristicName }) => ({
        task: key['task'] ?? '',
        config: key['config'] ?? '',
        style: key['style'] ?? '',
        chance,
        guess: heuristic,
        rule: heuristicName,
      })),
    })
  })
}

/** Reference lines at each level of one or two features, over all models. */
export async function referencesByFeatureOf(
  viewed: ViewedRun,
  request: ByFeatureRequest,
): Promise<ReferencesByFeature> {
  const nothing: ReferencesByFeature = { schema: 'touchstone/view-references-by-feature/1', rule: null, cells: [] }
  return viewed.remembered(`references by feature ${JSON.stringify(request)}`, async () => {
    const laid = await byFeatureParts(viewed, request)
    const frame = withReferences(laid.frames, await known(viewed)).frame(request.parser)
    const tasks = [...new Set(viewed.run.file.sources.map(({ task }) => task))]
    const name = request.task ?? (tasks.length === 1 ? tasks[0] : null)
    const task = viewed.here.runnable.find((one) => one.name === name)
    const lines = frame === null ? null : referencesOf(frame, task, rowsOf(laid.parts))
    if (lines === null) return nothing
    const cells = [...Map.groupBy(laid.parts, ({ x, y }) => JSON.stringify([x, y])).values()].flatMap((parts) => {
      const [first] = parts
      if (first === undefined) return []
      const rows = rowsOf(parts)
      return [{ x: first.x, y: first.y, chance: lines.chance(rows), guess: lines.heuristic?.of(rows) ?? null }]
    })
    // With few items everywhere, no level has it.
    const isShown = cells.some(({ guess }) => guess !== null)
    return { ...nothing, rule: isShown ? (lines.heuristic?.name ?? null) : null, cells }
  })
}

export const referencesDocument = runDocument({
  schema: references,
  answer: (viewed, query) => referencesOfRun(viewed, subsetIn(query)),
  exported: () => [[]],
})

export const referencesByFeatureDocument = runDocument({
  schema: referencesByFeature,
  answer: (viewed, query) => referencesByFeatureOf(viewed, byFeatureRequest(query)),
  exported: exportedByFeature,
})
