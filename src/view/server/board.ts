import { makeReport } from '../../report/index.ts'
import { loadAdaptive, loadSequentialTest } from '../../runner/index.ts'
import type { Board } from '../api/index.ts'
import { type Choice, chosenFrames, levelOf } from './chosen.ts'
import type { ViewFolder } from './folders.ts'
import { selectionOf, type ViewedRun } from './open-runs.ts'
import { parsersOf } from './outline.ts'
import { runSummary } from './summary.ts'
import { plainTable } from './tables.ts'

const MAX_SHOWN = [
  'core/selection',
  'core/sequential',
  'core/adaptive',
  'core/accuracy',
  'core/measures',
  'core/ranks',
  'core/paired',
  'core/across-tasks',
]

/** Tables of every two models: of more models than this they take minutes, and nobody reads them. */
const OF_PAIRS = ['core/ranks', 'core/paired', 'core/across-tasks']
const PAIRED = 60

/** What can be said of some of the items: when a run stops, what it chose and how tasks differ is of all of them. */
const OF_CHOSEN = ['core/accuracy', 'core/measures', 'core/paired']

export interface BoardRequest {
  /** null: the one that the run has chosen, or the strict one. */
  readonly parser: string | null
  /** null: all items. */
  readonly choice: Choice | null
}

/** Who did how well: the tables of the report, number for number, but for what needs no reasoning (`blind`); of some of the items with intervals for all looks. */
export async function boardOf(place: ViewFolder, viewed: ViewedRun, { parser, choice }: BoardRequest): Promise<Board> {
  const run = await runSummary(place, viewed)
  const all = await viewed.frames()
  const empty: Board = {
    schema: 'touchstone/view-board/1',
    run,
    chosen: null,
    parsers: [],
    tables: [],
    leftOut: [],
  }
  if (all === null) return empty
  const { frames, chosen } = await chosenFrames(viewed, all, choice)
  const many = run.models.length > PAIRED
  const shown = choice === null ? MAX_SHOWN : OF_CHOSEN
  const only = many ? shown.filter((id) => !OF_PAIRS.includes(id)) : shown
  const report = await viewed.remembered(`report ${JSON.stringify([parser, choice])}`, async () => {
    const [until, adapt] = [await loadSequentialTest(viewed.run), await loadAdaptive(viewed.run)]
    return makeReport({
      ...(until === null ? {} : { until }),
      ...(adapt === null ? {} : { adapt }),
      run: place.path,
      frames,
      tasks: viewed.here.runnable,
      selection: selectionOf(viewed.run),
      only,
      ...(choice === null ? {} : { confidence: levelOf(choice.looks) }),
      ...(parser === null ? {} : { parser }),
    })
  })
  return {
    ...empty,
    chosen,
    parsers: report.parser === null ? [] : parsersOf(viewed, all.parsers),
    tables: report.analyses.flatMap(({ tables }) => tables.map(plainTable)),
    leftOut: [
      ...(many
        ? [{ id: 'core/paired', reason: `${run.models.length} models: compare two of them on the page "compare"` }]
        : []),
      ...report.skipped.map(({ id, reason }) => ({ id, reason })),
    ],
  }
}
