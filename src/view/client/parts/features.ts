import type { Outline } from '../../api/index.ts'

/** Features that something can be laid over. */
export const usable = (features: Outline['features']): Outline['features'] =>
  features.filter(({ levels }) => levels.length > 1)

/** Features that vary within a task. */
export const ofTask = (features: Outline['features'], task: string): Outline['features'] =>
  features.filter(({ tasks }) => tasks.includes(task))

/** Features that a chart of a task can have on its x axis; of all tasks together (null) those of one task only. */
export function layable(
  { run, features }: Pick<Outline, 'run' | 'features'>,
  task: string | null,
): Outline['features'] {
  if (run.tasks.length < 2) return usable(features)
  return task === null ? features.filter(({ tasks }) => tasks.length === 1) : ofTask(features, task)
}

/** The default feature: a number with few levels, preferably one that sets difficulty; null: none. */
export function firstFeature(features: Outline['features']): string | null {
  const few = usable(features).filter(({ more }) => !more)
  const numbers = few.filter(({ type }) => type === 'number')
  const hard = numbers.filter((one) => one.hard.length > 0)
  const first = hard.find(({ levels }) => levels.length > 2) ?? hard[0] ?? numbers[0] ?? few[0] ?? usable(features)[0]
  return first?.name ?? null
}
