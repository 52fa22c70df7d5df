import { type Task, UsageError } from '../../core/index.ts'
import { costsMoney, factsOf, type Model, openModel } from '../../models/index.ts'
import type { Recording } from '../extensions.ts'
import type { RunContext } from '../folder/run.ts'
import type { RunFile } from '../folder/run-file.ts'
import { requireMaxTokens } from '../money/cost.ts'
import type { RunModel, TaskLookup } from '../plan/resolve.ts'
import { requireTrusted } from '../trust.ts'

/**
 * Opens the models of a run, in its order: the only way to them.
 *
 * @param command - what the user would run again to allow what the run asks, for the message.
 * @throws UsageError for one that cannot be used, and for a run from elsewhere that asks for more than this machine allows
 */
export async function openModels(
  file: Pick<RunFile, 'id' | 'sources' | 'models' | 'limits'>,
  context: RunContext,
  command: string,
  recording: Recording | null = null,
): Promise<Model[]> {
  await requireTrusted(file, context, command)
  return openEach(file.models, context, recording)
}

async function openEach(
  models: readonly RunModel[],
  context: RunContext,
  recording: Recording | null,
): Promise<Model[]> {
  const opened: Model[] = []
  try {
    for (const model of models) {
      const { spec, options } = model
      if (recording?.offline === true && costsMoney(spec, context.providers)) {
        opened.push(recording.replace(model, factsOf(spec, context.providers)))
        continue
      }
      const one = await openModel(spec, options, context.providers, context.around)
      opened.push(recording?.wrap(one, model) ?? one)
    }
  } catch (error) {
    await closeModels(opened)
    throw error
  }
  return opened
}

export async function closeModels(models: readonly Model[]): Promise<void> {
  for (const model of models) await model.close?.()
}

/** Opens every model of a run that the user begins, once. @throws UsageError for one that cannot be used, or that fits no task of the run */
export async function checkModels(
  {
    models,
    sources,
    limits,
  }: Pick<RunFile, 'models' | 'limits'> & { readonly sources: readonly { readonly task: string }[] },
  context: RunContext,
  offline: boolean,
): Promise<void> {
  if (offline) return
  const opened = await openEach(models, context, null)
  try {
    requireMaxTokens(models, opened, limits.usd ?? null)
    for (const [i, model] of opened.entries())
      for (const extension of context.extensions ?? []) extension.checkModel?.(models[i] as RunModel, model)
    for (const model of opened) {
      // A model may fit only some of the tasks; its other calls fail as not supported.
      const reasons = sources.map((source) => reasonAgainst(model, requireTask(context.tasks, source.task)))
      const [first] = reasons
      if (first !== undefined && reasons.every((reason) => reason !== undefined)) throw first
    }
  } finally {
    await closeModels(opened)
  }
}

function reasonAgainst(model: Model, task: Task): unknown {
  try {
    model.check?.(task)
  } catch (error) {
    return error
  }
  return undefined
}

export function requireTask(tasks: TaskLookup, name: string): NonNullable<ReturnType<TaskLookup>> {
  const task = tasks(name)
  if (task === undefined) throw new UsageError(`this run needs the task "${name}", which is not installed here`)
  return task
}
