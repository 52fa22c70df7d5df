import { makeReport } from '../../report/index.ts'
import type { Loglikelihood, ShownFigure } from '../api/index.ts'
import { loglikelihood } from '../api/index.ts'
import type { ViewedRun } from './open-runs.ts'
import { strictFrame } from './query.ts'
import { runDocument } from './run-document.ts'
import { plainTable } from './tables.ts'

/** What was scored token by token: its tasks, with what their analyses for the page of tokens found, number for number as in the report. */
export async function loglikelihoodOf(viewed: ViewedRun): Promise<Loglikelihood> {
  const frames = await viewed.frames()
  if (frames === null) return { schema: 'touchstone/view-loglikelihood/1', tasks: [], analyses: [] }
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
