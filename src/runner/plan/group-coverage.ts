import type { Layout } from '../../core/index.ts'
import { requireTask } from '../calls/open-models.ts'
import type { Run } from '../folder/run.ts'
import type { GeneratedSource } from './resolve.ts'

/** Groups of the first indices of a source. */
export interface GroupCoverage {
  readonly groups: number
  /** Groups of the whole source. */
  readonly of: number
}

/** The groups of the first `within` indices, if groups come one after another and not all are among them; else null. */
export function groupCoverage(layout: Layout, within: number | null): GroupCoverage | null {
  const { size } = layout
  if (layout.layout !== 'group-major' || size === null || within === null || within >= size) return null
  const [here, last] = [layout.at(within - 1), layout.at(size - 1)]
  if (!('group' in here && 'group' in last) || here.group === last.group) return null
  return { groups: here.group + 1, of: last.group + 1 }
}

/** How much of a source is planned. */
export interface SourceCoverage {
  readonly task: string
  readonly config: string
  readonly indices: number
  /** null if the indices are taken from all groups, or groups do not come one after another. */
  readonly groups: GroupCoverage | null
}

export const sourceCoverage = ({ task, label, count, within }: GeneratedSource, layout: Layout): SourceCoverage => ({
  task,
  config: label,
  indices: count,
  groups: groupCoverage(layout, within ?? layout.size),
})

/** Of every generated source of a run. */
export const runCoverage = ({ file, context }: Pick<Run, 'file' | 'context'>): readonly SourceCoverage[] =>
  file.sources.flatMap((source) => {
    if (source.kind === 'imported') return []
    const { task, config, split, seed, plan } = source
    return [sourceCoverage(source, requireTask(context.tasks, task).source(config, { split, seed }, plan).layout)]
  })
