import { join } from 'node:path'
import { UsageError } from '../core/index.ts'
import { tieRule } from '../libraries/statistics/index.ts'
import { type Chosen, selectFromRows, totalCost } from '../report/index.ts'
import type { Run } from '../runner/index.ts'
import { loadFrames, SELECTION_FILE, writeFileAtomic } from '../store/index.ts'
import type { Environment } from './environment.ts'
import type { selectRequest, Valid } from './requests/index.ts'
import { onRun } from './runs.ts'

/** What `selection.json` holds: for each model the style and parser with the best accuracy on a validation run. */
export interface Selection {
  readonly schema: 'touchstone/select/1'
  readonly run: string
  readonly splits: readonly string[]
  /** Why selection on this run is biased; empty where it is not. */
  readonly objections: readonly string[]
  /** How ties are broken. */
  readonly rule: string
  /** Cost of the validation run. */
  readonly cost: Chosen['cost']
  readonly choices: readonly Chosen[]
}

/** Chooses the best style and parser for each model of a finished validation run, and writes it beside the run. */
export async function selectStyles(
  here: Environment,
  dir: string,
  { force = false }: Valid<typeof selectRequest>,
): Promise<{ readonly out: string; readonly selection: Selection }> {
  return onRun(here, dir, { mode: 'read' }, async (run) => {
    const reasons = await objectionsTo(run)
    if (reasons.length > 0 && !force)
      throw new UsageError(`cannot select on ${dir}: ${reasons.join('; ')}. Use --force to select anyway`)
    const choices = selectFromRows(await loadFrames(run), here.tasks)
    if (choices.length === 0) throw new UsageError(`cannot select on ${dir}: it has no graded response`)
    const selection: Selection = {
      schema: 'touchstone/select/1',
      run: dir,
      splits: splitsOf(run),
      objections: reasons,
      rule: tieRule,
      cost: totalCost(choices),
      choices,
    }
    const out = join(dir, SELECTION_FILE)
    await writeFileAtomic(out, `${JSON.stringify(selection, null, 1)}\n`)
    return { out, selection }
  })
}

const splitsOf = (run: Run): readonly string[] => [
  ...new Set(run.file.sources.map((source) => (source.kind === 'generated' ? source.split : 'imported'))),
]

/** Other splits would tune on test items; missing calls would favour a model. */
async function objectionsTo(run: Run): Promise<string[]> {
  const { waiting, leased, batched, failed } = await run.ledger.counts()
  const others = splitsOf(run).filter((split) => split !== 'validation')
  const planned = (await run.ledger.meta('planned')) === 'yes'
  return [
    ...(others.length > 0 ? [`its split is ${others.join(', ')}, not validation`] : []),
    ...(waiting + leased + batched > 0 || !planned ? [`it is not finished (touchstone resume ${run.dir})`] : []),
    ...(failed > 0 ? [`${failed} calls ended in an error (touchstone resume ${run.dir} --retry-errors)`] : []),
  ]
}
