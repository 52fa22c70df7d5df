import type { Family } from '../../core/define.ts'
import { importRecords } from './import.ts'
import { trains } from './trains/task.ts'

/** Induction of logic rules in the manner of SLR-Bench (Helff et al. 2025), to which PBEBench compares itself. */
export const slrBench: Family = {
  name: 'slr-bench',
  tasks: [trains],
  importers: [importRecords],
}
