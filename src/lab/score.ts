import type { PluginRecord, Task } from '../core/index.ts'
import { type RescoreResult, reparseBodies, rescoreRun, takeChangedScorers } from '../runner/index.ts'
import type { Environment } from './environment.ts'
import { keepJudgements } from './judgements.ts'
import type { scoreRequest, Valid } from './requests/index.ts'
import { onRun } from './runs.ts'

/** How many responses were parsed and scored again. */
export interface ScoreResult extends RescoreResult {
  readonly schema: 'touchstone/score/1'
  readonly run: string
  /** With `reparse`: stored bodies of calls without a response, and how many of them were parsed now. */
  readonly bodies?: number
  readonly reparsed?: number
}

/** @throws UsageError where the plugin of the run has changed without a higher scorer version. */
export async function scoreRun(
  here: Environment,
  dir: string,
  request: Valid<typeof scoreRequest>,
): Promise<ScoreResult> {
  const { judgements = [], labels } = request
  const hasNew = judgements.length > 0 || labels !== undefined
  const current = hasNew ? await keepJudgements(here, dir, { judges: judgements, labels }) : here
  return onRun(current, dir, { mode: 'write', otherPlugins: true }, async (run) => {
    await takeChangedScorers(run, tasksOf(current))
    const found = request.reparse === true ? await reparseBodies(run) : null
    const { done } = await run.ledger.counts()
    const result = await rescoreRun(run, (scored) => request.onProgress?.(scored, done))
    return {
      schema: 'touchstone/score/1',
      run: dir,
      ...result,
      ...(found === null ? {} : { bodies: found.bodies, reparsed: found.reparsed }),
    }
  })
}

const tasksOf =
  ({ plugins }: Environment) =>
  (record: PluginRecord): readonly Task[] =>
    plugins.find((plugin) => plugin.record.sha256 === record.sha256)?.family.tasks ?? []
