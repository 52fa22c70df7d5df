import type { Task } from '../../core/index.ts'

/** What the features of a task's items mean, by name; what is not described is left out. */
export const featureMeanings = (task: Task): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(task.features.shape).flatMap(([name, schema]) => {
      const { description } = schema as { readonly description?: string }
      return description === undefined || description === '' ? [] : [[name, description]]
    }),
  )
