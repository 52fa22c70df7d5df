import { z } from 'zod'
import { hint, type Json, type Task, UsageError } from '../../core/index.ts'
import { settingsText } from '../../models/index.ts'
import type { Adapt, ItemsEntry } from '../../runner/plan/experiment.ts'
import { type RunModel, type RunSource, stylesOf } from '../../runner/plan/resolve.ts'
import { parseStopRule } from './model-schedule.ts'

/** More values are a mistake in the step. */
const MAX_VALUES = 500

/**
 * The values of a parameter of the config that has a range: each becomes a source. null for a feature of the items, and for a
 * parameter that the experiment sweeps itself.
 *
 * @throws UsageError for a parameter that the task does not have
 */
export function valuesOf(
  { parameter, from, to, step }: Adapt,
  { sweep = {} }: Pick<ItemsEntry, 'sweep'>,
  task: Task,
): readonly Json[] | null {
  const { properties = {} } = z.toJSONSchema(task.config, { io: 'input', unrepresentable: 'any' })
  const features = Object.keys(task.features.shape)
  if (!Object.hasOwn(properties, parameter)) {
    if (features.includes(parameter)) return null
    const names = [...new Set([...Object.keys(properties), ...features])]
    throw new UsageError(
      `adapt: ${task.name} has no parameter "${parameter}"${hint(parameter, names)}; it has ${names.join(', ')}`,
    )
  }
  if ((from === undefined && to === undefined) || Object.hasOwn(sweep, parameter)) return null
  if (from === undefined || to === undefined)
    throw new UsageError(`adapt: give the smallest and the largest value of ${parameter}, e.g. ${parameter}=2..20`)
  const count = Math.floor((to - from) / step + 1e-9) + 1
  if (count < 3 || count > MAX_VALUES)
    throw new UsageError(
      `adapt: ${parameter} from ${from} to ${to} by ${step} has ${count} values; expected 3 to ${MAX_VALUES}`,
    )
  return Array.from({ length: count }, (_, k) => Number((from + k * step).toPrecision(12)))
}

/** @throws UsageError for an experiment without one curve per model */
export function checkAdapt(
  adapt: Adapt,
  models: readonly RunModel[],
  sources: readonly RunSource[],
  taskOf: (name: string) => Task | undefined,
): void {
  if (adapt.until !== undefined) parseStopRule(adapt.until)
  const tasks = [...new Set(sources.map(({ task }) => task))]
  const [name = ''] = tasks
  if (tasks.length > 1) throw new UsageError(`adapt: expected one task, got ${tasks.join(', ')}. Run each separately`)
  if (taskOf(name)?.grade === undefined)
    throw new UsageError(
      `adapt: answers to ${name} are measured, not right or wrong, so that no threshold can be located`,
    )
  for (const { name: model, batch, samples, settings } of models) {
    const several = `adapt: ${model} is asked`
    if (batch !== undefined)
      throw new UsageError(`${several} in batches, whose responses all come at once. Leave "batch" out`)
    if (samples > 1)
      throw new UsageError(`${several} ${samples} times each. Leave "samples" out: new items are more informative`)
    if (settings.length > 1)
      throw new UsageError(`${several} with several settings: give each setting its own model entry`)
  }
  for (const model of models)
    for (const source of sources) {
      const styles = stylesOf(model, source, settingsText(model.settings[0] ?? {}))
      if (styles.length > 1)
        throw new UsageError(`adapt: expected one style, since each has its own threshold, got ${styles.join(', ')}`)
    }
}
