import type { Layout } from '../../core/index.ts'
import { needTask } from '../calls/open-models.ts'
import type { Run } from '../folder/run.ts'
import type { GeneratedSource } from './resolve.ts'

/** How many groups the first indices of a set are of. */
export interface Prefix {
  readonly groups: number
  /** Of the whole set. */
  readonly of: number
}

/** The groups that the first `count` indices cover, where groups come one after another and not all are reached; else null. */
export function prefixOf(layout: Layout, count: number): Prefix | null {
  const { size } = layout
  if (layout.layout !== 'group-major' || size === null || count >= size) return null
  const [here, last] = [layout.at(count - 1), layout.at(size - 1)]
  if (!('group' in here && 'group' in last) || here.group === last.group) return null
  return { groups: here.group + 1, of: last.group + 1 }
}

/** What is asked of one source, and how much of it that reaches. */
export interface Reach {
  readonly task: string
  readonly config: string
  readonly indices: number
  /** null where the indices reach all groups, or groups do not come one after another. */
  readonly prefix: Prefix | null
}

export const reachOf = ({ task, label, count }: GeneratedSource, layout: Layout): Reach => ({
  task,
  config: label,
  indices: count,
  prefix: prefixOf(layout, count),
})

/** Of every source of a run; an imported one is asked as it came. */
export const runReach = ({ file, context }: Pick<Run, 'file' | 'context'>): readonly Reach[] =>
  file.sources.flatMap((source) => {
    if (source.kind === 'imported') return []
    const { task, config, split, seed, plan } = source
    return [reachOf(source, needTask(context.tasks, task).source(config, { split, seed }, plan).layout)]
  })
