import type { Outline } from '../../api/index.ts'

/** Features that something can be laid over. */
export const usable = (features: Outline['features']): Outline['features'] =>
  features.filter(({ levels }) => levels.length > 1)

/** Features that vary within a task. */
export const ofTask = (features: Outline['features'], task: string): Outline['features'] =>
  features.filter(({ tasks }) => tasks.includes(task))

/**
 * What numbers of a task can be laid over; of all tasks together (null) what the items of only one differ in: a curve over
 * tasks that share the name of a knob is of none.
 */
export function layable(
  { run, features }: Pick<Outline, 'run' | 'features'>,
  task: string | null,
): Outline['features'] {
  if (run.tasks.length < 2) return usable(features)
  return task === null ? features.filter(({ tasks }) => tasks.length === 1) : ofTask(features, task)
}

/**
 * What is laid over before somebody chooses: a number of few levels where there is one, and of these what makes items hard, as a task
 * says of its own; null: no feature can be.
 */
export function firstFeature(features: Outline['features']): string | null {
  const few = usable(features).filter(({ more }) => !more)
  const numbers = few.filter(({ type }) => type === 'number')
  const hard = numbers.filter((one) => one.hard.length > 0)
  const first = hard.find(({ levels }) => levels.length > 2) ?? hard[0] ?? numbers[0] ?? few[0] ?? usable(features)[0]
  return first?.name ?? null
}
