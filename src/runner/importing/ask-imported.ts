import { seedText, UsageError } from '../../core/index.ts'
import { checkModels, closeModels, openModels, requireTask } from '../calls/open-models.ts'
import { IMPORT_KEY, newRun, openRun, type Run, type RunContext, secretNames, withRun } from '../folder/run.ts'
import { requirePrices } from '../money/cost.ts'
import type { Experiment } from '../plan/experiment.ts'
import { writeCopiedPlan } from '../plan/plan.ts'
import { askedStyles, type ImportedSource, resolveModels } from '../plan/resolve.ts'
import { rememberRun } from '../trust.ts'

export interface AskImportedOptions {
  /** Folder of the imported run. */
  readonly from: string
  /** The run folder to make. */
  readonly dir: string
  readonly experiment: Pick<Experiment, 'name' | 'seed' | 'models' | 'limits'>
  /** Prompt styles. Default: the first of each task. */
  readonly styles?: readonly string[]
  /** Files of templates. */
  readonly templates?: readonly string[]
  /** Most items of each source. */
  readonly count?: number
  readonly fsync?: boolean
}

/**
 * Makes a run that calls your own models on the items of an imported release: items and published targets are copied, the
 * published responses are not. `executeRun` makes the calls.
 *
 * @throws UsageError for items that were not imported, whose task has another version by now, or that no model can be called on
 */
export async function createRunOfImport(options: AskImportedOptions, context: RunContext): Promise<Run> {
  const { from, dir, experiment, styles, templates, count } = options
  return withRun(await openRun(from, context, { mode: 'read' }), async (release) => {
    const sources = release.file.sources.map((source): ImportedSource => {
      if (source.kind !== 'imported')
        throw new UsageError(
          `${from} was not imported. Its items come from ${source.task}: run that task, or resume the run`,
        )
      const task = requireTask(context.tasks, source.task)
      if (task.asGiven === 'scores')
        throw new UsageError(
          `${from} holds a log, whose scores cannot be recomputed here. Run its questions as your own: touchstone export ${from} --to csv --out DIR, touchstone run DIR/questions.csv`,
        )
      if (task.version !== source.version)
        throw new UsageError(
          `${from} was imported for version ${source.version} of ${task.name}; version ${task.version} is installed. Import the release again`,
        )
      return { ...source, promptVersion: task.promptVersion, ...askedStyles(task, styles, templates) }
    })
    const models = resolveModels(experiment, sources, context.prices)
    const { name, seed, limits } = experiment
    requirePrices(models, limits.usd, context.providers)
    await checkModels({ models, sources, limits }, context, false)
    const secrets = secretNames(models, context)
    const run = await newRun(options, { name, seed: seedText(seed), sources, models, limits, secrets }, context)
    rememberRun(run.file, context)
    try {
      const opened = await openModels(run.file, context, `touchstone resume ${dir}`)
      try {
        await writeCopiedPlan(run, release, opened, count ?? null)
      } finally {
        await closeModels(opened)
      }
      await run.ledger.setMeta(IMPORT_KEY, JSON.stringify({ from: release.file.id }))
      return run
    } catch (error) {
      await run[Symbol.asyncDispose]()
      throw error
    }
  })
}
