import { loadAdaptive } from '../../extras/adaptive/index.ts'
import { loadSequentialTest } from '../../extras/sequential/index.ts'
import { planOf } from '../../lab/runs.ts'
import { makeReport } from '../../report/index.ts'
import { type Loglikelihood, loglikelihood, type Overview, overview, type ShownFigure } from '../api/index.ts'
import type { ViewFolder } from './folders.ts'
import { selectionOf, type ViewedRun } from './open-runs.ts'
import { parsersOf } from './outline.ts'
import { strictFrame } from './query.ts'
import { parserIn, plainTable, runDocument, subsetIn } from './run-document.ts'
import { confidenceOf, type Subset, subsetFrames } from './subset.ts'
import { runSummary } from './summary.ts'

const MAX_SHOWN = [
  'core/selection',
  'core/sequential',
  'core/adaptive',
  'core/accuracy',
  'core/measures',
  'core/ranks',
  'core/paired',
  'core/across-tasks',
  'core/usage',
]

/** Pairwise tables are omitted above PAIRED models. */
const OF_PAIRS = ['core/ranks', 'core/paired', 'core/across-tasks']
const PAIRED = 60

/** Analyses that apply to a subset of items. */
const OF_SUBSET = ['core/accuracy', 'core/measures', 'core/paired']

interface OverviewRequest {
  readonly parser: string | null
  readonly subset: Subset | null
}

/** The tables of the report; of a subset with intervals for all subsets viewed. */
async function overviewOf(
  folder: ViewFolder,
  viewed: ViewedRun,
  { parser, subset }: OverviewRequest,
): Promise<Overview> {
  const run = await runSummary(folder, viewed)
  const all = await viewed.rows()
  const empty: Overview = {
    schema: 'touchstone/view-overview/1',
    run,
    subsetSize: null,
    parsers: [],
    verdict: null,
    tables: [],
    skipped: [],
  }
  if (all === null) return empty
  const { frames, subsetSize } = await subsetFrames(viewed, all, subset)
  const many = run.models.length > PAIRED
  const shown = subset === null ? MAX_SHOWN : OF_SUBSET
  const only = many ? shown.filter((id) => !OF_PAIRS.includes(id)) : shown
  const report = await viewed.remembered(`report ${JSON.stringify([parser, subset])}`, async () => {
    const [until, adapt] = [await loadSequentialTest(viewed.run), await loadAdaptive(viewed.run)]
    return makeReport({
      ...(until === null ? {} : { until }),
      ...(adapt === null ? {} : { adapt }),
      run: folder.path,
      plan: planOf(run.counts),
      frames,
      tasks: viewed.here.runnable,
      selection: selectionOf(viewed.run),
      only,
      ...(subset === null ? {} : { confidence: confidenceOf(subset.views) }),
      ...(parser === null ? {} : { parser }),
    })
  })
  return {
    ...empty,
    subsetSize,
    parsers: report.parser === null ? [] : parsersOf(viewed, all.parsers),
    // Of very many models no pair is compared.
    verdict: subset === null && !many ? report.verdict : null,
    tables: report.analyses.flatMap(({ tables }) => tables.map(plainTable)),
    skipped: [
      ...(many
        ? [{ id: 'core/paired', reason: `${run.models.length} models: compare two of them on the page "compare"` }]
        : []),
      ...report.skipped.map(({ id, reason }) => ({ id, reason })),
    ],
  }
}

export const overviewDocument = runDocument({
  schema: overview,
  answer: (viewed, query, { folder }) =>
    overviewOf(folder, viewed, { parser: parserIn(query), subset: subsetIn(query) }),
  exported: () => [[]],
})

/** What was scored token by token: its tasks, with what their analyses for the page of tokens found, number for number as in the report. */
export async function loglikelihoodOf(viewed: ViewedRun): Promise<Loglikelihood> {
  const frames = await viewed.frames()
  return viewed.remembered('loglikelihood', async () => {
    const frame = strictFrame(frames)
    const [state, task] = [frame.category('status'), frame.category('task')]
    const measured = state.levels.indexOf('loglikelihood')
    const found = new Set(task.codes.filter((_, row) => state.codes[row] === measured))
    const tasks = task.levels.filter((_, code) => found.has(code)).sort()
    const only = viewed.here.tasks
      .filter(({ name }) => tasks.includes(name))
      .flatMap(({ analyses }) => analyses.flatMap(({ id, page }) => (page === 'tokens' ? [id] : [])))
    const report = only.length === 0 ? null : makeReport({ run: '', frames, tasks: viewed.here.tasks, only })
    const analyses = (report?.analyses ?? []).flatMap(({ id, title, task, notes, tables, figures }) =>
      task === null
        ? []
        : [{ id, title, task, notes: [...notes], tables: tables.map(plainTable), figures: figures.map(plainFigure) }],
    )
    return { schema: 'touchstone/view-loglikelihood/1' as const, tasks, analyses }
  })
}

type ReportFigure = ReturnType<typeof makeReport>['analyses'][number]['figures'][number]

const plainFigure = (figure: ReportFigure): ShownFigure => JSON.parse(JSON.stringify(figure)) as ShownFigure

export const loglikelihoodDocument = runDocument({
  schema: loglikelihood,
  answer: (viewed) => loglikelihoodOf(viewed),
  exported: () => [[]],
})
