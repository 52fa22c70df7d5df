import type { Family } from '../../core/define.ts'
import { importStories } from './import.ts'
import { kinship } from './kinship/task.ts'

/** Kinship in the manner of CLUTRR (Sinha et al. 2019), to which PBEBench compares itself. */
export const clutrr: Family = {
  name: 'clutrr',
  tasks: [kinship],
  importers: [importStories],
}
