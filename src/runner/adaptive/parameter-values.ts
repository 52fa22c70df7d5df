import { z } from 'zod'
import { hint, type Json, type Task, UsageError } from '../../core/index.ts'
import { settingsText } from '../../models/index.ts'
import type { ItemsEntry } from '../plan/experiment.ts'
import { type RunModel, type RunSource, stylesOf } from '../plan/resolve.ts'
import { type Adapt, enoughOf } from './stop-rule.ts'

/** More values of a knob than these are a slip of the step. */
const MOST_VALUES = 500

/**
 * The values of a knob that is a key of the config and has a range: each becomes a source. null for a feature, which is looked for in
 * the items that there are, and for a knob that the items turn themselves.
 *
 * @throws UsageError for a knob that the task does not have.
 */
export function valuesOf(
  { knob, from, to, step }: Adapt,
  { sweep = {} }: Pick<ItemsEntry, 'sweep'>,
  task: Task,
): readonly Json[] | null {
  const { properties = {} } = z.toJSONSchema(task.config, { io: 'input', unrepresentable: 'any' })
  const features = Object.keys(task.features.shape)
  if (!Object.hasOwn(properties, knob)) {
    if (features.includes(knob)) return null
    const names = [...new Set([...Object.keys(properties), ...features])]
    throw new UsageError(`adapt: ${task.name} has no knob "${knob}"${hint(knob, names)}; it has ${names.join(', ')}`)
  }
  if ((from === undefined && to === undefined) || Object.hasOwn(sweep, knob)) return null
  if (from === undefined || to === undefined)
    throw new UsageError(`adapt: say the least and the largest value of ${knob}, as in ${knob}=2..20`)
  const count = Math.floor((to - from) / step + 1e-9) + 1
  if (count < 3 || count > MOST_VALUES)
    throw new UsageError(`adapt: ${knob} from ${from} to ${to} by ${step} has ${count} values; 3 to ${MOST_VALUES} do`)
  return Array.from({ length: count }, (_, k) => Number((from + k * step).toPrecision(12)))
}

/** @throws UsageError where one path a model makes no sense of what is asked. */
export function checkAdapt(
  adapt: Adapt,
  models: readonly RunModel[],
  sources: readonly RunSource[],
  taskOf: (name: string) => Task | undefined,
): void {
  if (adapt.until !== undefined) enoughOf(adapt.until)
  const tasks = [...new Set(sources.map(({ task }) => task))]
  const [name = ''] = tasks
  if (tasks.length > 1)
    throw new UsageError(`adapt: one task has one curve, these are ${tasks.join(', ')}: give each a run of its own`)
  if (taskOf(name)?.grade === undefined)
    throw new UsageError(`adapt: answers to ${name} are measured, not right or wrong: there is no curve of them`)
  for (const { name: model, batch, samples, settings } of models) {
    const several = `adapt: ${model} is asked`
    if (batch !== undefined) throw new UsageError(`${several} in batches, which come all at once: leave "batch" out`)
    if (samples > 1)
      throw new UsageError(`${several} ${samples} times each: samples of an item tell less than new items`)
    if (settings.length > 1)
      throw new UsageError(`${several} with several settings: give each a model entry with a name of its own`)
  }
  for (const model of models)
    for (const source of sources) {
      const styles = stylesOf(model, source, settingsText(model.settings[0] ?? {}))
      if (styles.length > 1)
        throw new UsageError(
          `adapt: asked in the styles ${styles.join(', ')}, of which each has a curve of its own: name one`,
        )
    }
}
