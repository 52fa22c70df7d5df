import { join } from 'node:path'
import { UsageError } from '../core/index.ts'
import type { Chosen } from '../report/index.ts'
import type { Run } from '../runner/index.ts'
import type { Installed } from './installed.ts'
import { onRun } from './runs.ts'

/** How style and parser of each model are chosen. */
export interface SelectRequest {
  /** Choose also on items of other splits, or on an unfinished run; what speaks against it is recorded. */
  readonly force?: boolean
}

/** What `selection.json` holds: for each model the style and parser that did best on a validation run. */
export interface Selection {
  readonly schema: 'touchstone/select/1'
  readonly run: string
  readonly splits: readonly string[]
  /** Why a choice on this run is not sound; empty where it is. */
  readonly objections: readonly string[]
  /** How ties are broken, in words. */
  readonly rule: string
  /** What choosing took; null where that is not known. */
  readonly cost: Chosen['cost']
  readonly choices: readonly Chosen[]
}

/** Chooses the best style and parser for each model of a finished validation run, and writes it beside the run. */
export async function selectStyles(
  here: Installed,
  dir: string,
  { force = false }: SelectRequest,
): Promise<{ readonly out: string; readonly selection: Selection }> {
  const { loadFrames, SELECTION_FILE, writeFileAtomic } = await import('../store/index.ts')
  const { selectFromRows, totalCost } = await import('../report/index.ts')
  const { tieRule } = await import('../libraries/statistics/index.ts')
  return onRun(here, dir, { mode: 'read' }, async (run) => {
    const reasons = await objectionsTo(run)
    if (reasons.length > 0 && !force)
      throw new UsageError(`${dir} is no ground to choose on: ${reasons.join('; ')}; \`force\` chooses nevertheless`)
    const choices = selectFromRows(await loadFrames(run), here.tasks)
    if (choices.length === 0) throw new UsageError(`${dir} holds no graded response to choose by`)
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

/** Why a choice on this run would not be sound: other splits would tune on what is tested, gaps would favour a pair. */
async function objectionsTo(run: Run): Promise<string[]> {
  const { waiting, leased, batched, failed } = await run.ledger.counts()
  const others = splitsOf(run).filter((split) => split !== 'validation')
  const planned = (await run.ledger.meta('planned')) === 'yes'
  return [
    ...(others.length > 0 ? [`its items are of ${others.join(', ')}, not of validation`] : []),
    ...(waiting + leased + batched > 0 || !planned ? [`it is not finished (touchstone resume ${run.dir})`] : []),
    ...(failed > 0 ? [`${failed} cells failed (touchstone retry-failed ${run.dir})`] : []),
  ]
}
