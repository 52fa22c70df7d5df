import type { Task } from '../../core/index.ts'

/** The feature that says what an item is: the first text with the role of a truth. */
export function truthOf(tasks: readonly Task[]): string | null {
  for (const { features } of tasks)
    for (const [name, schema] of Object.entries(features.shape))
      if (schema.type === 'string' && schema.meta()?.['role'] === 'truth') return name
  return null
}
