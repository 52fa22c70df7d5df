import type { PluginRecord, Task } from '../core/index.ts'
import type { ReparseResult, RescoreResult } from '../runner/index.ts'
import type { Installed } from './installed.ts'
import { onRun } from './runs.ts'

/** How the responses of a run are read and graded again. */
export interface ScoreRequest {
  /** First read again what came of answers that could not be read; nothing is asked. */
  readonly rescue?: boolean
  /** Responses scored, of how many. */
  readonly onProgress?: (done: number, total: number) => void
}

/** How many responses were read and graded again. */
export interface ScoreResult extends RescoreResult, Partial<ReparseResult> {
  readonly schema: 'touchstone/score/1'
  readonly run: string
}

/** @throws UsageError where the run was made with a plugin of other content whose author has raised no scorer. */
export async function scoreRun(here: Installed, dir: string, request: ScoreRequest): Promise<ScoreResult> {
  const { rescoreRun, reparseBodies, takeChangedScorers } = await import('../runner/index.ts')
  return onRun(here, dir, { mode: 'write', otherPlugins: true }, async (run) => {
    await takeChangedScorers(run, tasksOf(here))
    const rescue = request.rescue === true ? await reparseBodies(run) : {}
    const { done } = await run.ledger.counts()
    const result = await rescoreRun(run, (scored) => request.onProgress?.(scored, done))
    return { schema: 'touchstone/score/1', run: dir, ...result, ...rescue }
  })
}

const tasksOf =
  ({ plugins }: Installed) =>
  (record: PluginRecord): readonly Task[] =>
    plugins.find((plugin) => plugin.record.sha256 === record.sha256)?.family.tasks ?? []
