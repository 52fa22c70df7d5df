import type { Task } from '../../core/index.ts'

/** Descriptions of a task's features by name. */
export const featureMeanings = (task: Task): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(task.features.shape).flatMap(([name, schema]) => {
      const { description } = schema as { readonly description?: string }
      return description === undefined || description === '' ? [] : [[name, description]]
    }),
  )
