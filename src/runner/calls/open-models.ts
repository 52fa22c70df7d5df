import { type Task, UsageError } from '../../core/index.ts'
import { costsMoney, factsOf, type Model, openModel } from '../../models/index.ts'
import { needBatching } from '../batches/batch-work.ts'
import type { AnswerCache } from '../cache/answer-cache.ts'
import { cachedModel, recordedModel, untimedModel } from '../cache/cached-model.ts'
import type { RunContext } from '../folder/run.ts'
import type { RunFile } from '../folder/run-file.ts'
import { needMaximum } from '../money/cost.ts'
import type { RunModel, TaskLookup } from '../plan/resolve.ts'

/** Answers that are kept between runs; `offline`: nothing else is asked. */
export interface Recording {
  readonly cache: AnswerCache
  readonly offline: boolean
}

/** Opens the models of a run, in its order. @throws UsageError where one cannot be used. */
export async function openModels(
  models: readonly RunModel[],
  context: RunContext,
  recording: Recording | null = null,
): Promise<Model[]> {
  const opened: Model[] = []
  try {
    for (const model of models) {
      const { spec, options } = model
      if (recording?.offline === true && costsMoney(spec, context.providers)) {
        opened.push(recordedModel(model, recording.cache, factsOf(spec, context.providers)))
        continue
      }
      const one = await openModel(spec, options, context.providers, context.around)
      opened.push(recording === null ? one : recorded(one, model, recording.cache))
    }
  } catch (error) {
    await closeModels(opened)
    throw error
  }
  return opened
}

function recorded(one: Model, model: RunModel, cache: AnswerCache): Model {
  if (one.remote === true) return cachedModel(one, model, cache)
  return one.untimed === true ? untimedModel(one) : one
}

export async function closeModels(models: readonly Model[]): Promise<void> {
  for (const model of models) await model.close?.()
}

/** Opens every model once. @throws UsageError where one cannot be used, or suits no task of the run. */
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
  const opened = await openModels(models, context)
  try {
    needMaximum(models, opened, limits.usd ?? null)
    for (const [i, model] of opened.entries()) if (models[i]?.batch !== undefined) needBatching(model)
    for (const model of opened) {
      // A model that suits some of the tasks is welcome; its other cells fail as not supported.
      const reasons = sources.map((source) => reasonAgainst(model, needTask(context.tasks, source.task)))
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

export function needTask(tasks: TaskLookup, name: string): NonNullable<ReturnType<TaskLookup>> {
  const task = tasks(name)
  if (task === undefined) throw new UsageError(`this run needs the task "${name}", which is not installed here`)
  return task
}
