import { type Estimate, sha256Hex } from '../../core/index.ts'
import { holm, normalTwoSided } from '../../libraries/statistics/index.ts'
import { compareSides, makeReport, meanOverConditions } from '../../report/index.ts'
import type { RunFrames } from '../../store/index.ts'
import { type History, history } from '../api/index.ts'
import { selectionOf, type ViewedRun } from './open-runs.ts'
import { parserIn, runDocument, type Viewing } from './run-document.ts'
import { modelNames } from './summary.ts'

type Change = History['models'][number]['change']

/** A run as a point of a trend, and its change from the run before. */
async function historyOf(
  viewed: ViewedRun,
  before: string | null,
  parser: string,
  { folder, other }: Viewing,
): Promise<History> {
  const frames = await viewed.rows()
  const names = modelNames(viewed.run)
  const rows = await viewed.remembered('history', async () => {
    if (frames === null) return { accuracy: [], usage: [] }
    const only = ['core/accuracy', 'core/usage']
    const { analyses } = makeReport({
      run: folder.path,
      frames,
      tasks: viewed.here.runnable,
      selection: selectionOf(viewed.run),
      only,
    })
    const of = (id: string) => analyses.find((one) => one.id === id)?.tables[0]?.rows ?? []
    return { accuracy: of('core/accuracy'), usage: of('core/usage') }
  })
  const changes =
    frames === null || before === null
      ? new Map<string, Change>()
      : await other(before, async (earlier) => changesOf(viewed, frames, await earlier.rows(), parser))
  const models = names.map((model) => {
    const [own, used] = [rows.accuracy, rows.usage].map((all) => all.filter((row) => row['model'] === model))
    const total = (key: string): number => (own ?? []).reduce((sum, row) => sum + Number(row[key] ?? 0), 0)
    const known = (key: string) => (used ?? []).flatMap(({ [key]: one }) => (typeof one === 'number' ? [one] : []))
    const [usd, seconds] = [known('usd'), known('seconds').sort((a, b) => a - b)]
    return {
      model,
      mean: meanOverConditions(
        (own ?? []).flatMap(({ task, accuracy }) =>
          accuracy == null ? [] : [{ task: String(task), difference: accuracy as Estimate }],
        ),
        [0, 1],
      ),
      planned: total('planned'),
      unparsed: total('unparsed'),
      truncated: total('truncated'),
      refused: total('refused'),
      failed: total('failed'),
      usd: usd.length === 0 ? null : usd.reduce((sum, one) => sum + one, 0),
      seconds: seconds[Math.floor(seconds.length / 2)] ?? null,
      change: changes.get(model) ?? null,
    }
  })
  return { schema: 'touchstone/view-history/1', same: contentsOf(viewed), models }
}

/** What makes two runs points of one trend: items, prompts and limits. */
const contentsOf = ({ run: { file } }: ViewedRun): string => sha256Hex(JSON.stringify(file.sources)).slice(0, 16)

/** For each model that both have, this run − the one before on shared items: the mean over tasks, judged by Holm over models. */
function changesOf(
  viewed: ViewedRun,
  frames: RunFrames,
  earlier: RunFrames | null,
  parser: string,
): Map<string, Change> {
  if (earlier === null) return new Map()
  const found = modelNames(viewed.run).flatMap((model) => {
    const side = (of: RunFrames) => ({ name: model, frames: of, model })
    const compared = compareSides(side(frames), side(earlier), 'run', viewed.here.runnable, { parser })
    if (compared === null) return []
    const { tasks, overall } = compared
    const difference = meanOverConditions(tasks, [-1, 1])
    if (difference === null) return []
    const error = (difference.high - difference.low) / (2 * 1.959964)
    const p = tasks.length < 2 ? overall.p : error === 0 ? 1 : normalTwoSided(difference.value / error)
    return [{ model, difference, p }]
  })
  const adjusted = holm(found.map(({ p }) => p))
  return new Map(
    found.map(({ model, difference }, i) => [model, { difference, significant: (adjusted[i] as number) < 0.05 }]),
  )
}

export const historyDocument = runDocument({
  schema: history,
  answer: (viewed, query, at) => historyOf(viewed, query.get('before'), parserIn(query), at),
  exported: () => [[]],
})
