import { type Column, column, type Frame, memoize } from '../../core/index.ts'
import { allRows, bySystem, partition, systems } from '../../libraries/statistics/index.ts'

export const { text, number: count, number: pValue, share, estimate } = column

/** A block of rows that are compared with one another: one task, one config, one style. */
export interface Block {
  readonly task: string
  readonly rows: Int32Array
  /** The cells of the columns below. */
  readonly key: { readonly [column: string]: string | null }
}

/** Task, config and style, leaving out config where no task has several. */
export const blocks = memoize(
  (frame: Frame): { readonly blocks: readonly Block[]; readonly columns: readonly Column[] } => {
    const byTask = partition(frame, ['task'])
    const several = byTask.some((part) => partition(frame, ['config'], part.rows).length > 1)
    const keys = several ? ['task', 'config', 'style'] : ['task', 'style']
    const labels: { readonly [key: string]: string } = { task: 'Task', config: 'Config', style: 'Style' }
    return {
      columns: keys.map((key) => text(key, labels[key] as string)),
      blocks: partition(frame, keys, allRows(frame)).map(({ key, rows }) => ({ key, rows, task: key['task'] ?? '' })),
    }
  },
)

/** The rows of each contestant in every block, with the cells that name both. */
export function byModel(frame: Frame, parts: readonly Block[]) {
  const who = systems(frame)
  return parts.flatMap(({ key, rows: all }) =>
    bySystem(who, all).map(({ contestant, rows }) => ({ key: { ...key, model: contestant }, rows })),
  )
}
