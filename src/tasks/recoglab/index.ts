import type { Family } from '../../core/define.ts'
import { comparison } from './comparison/task.ts'
import { families } from './families/task.ts'
import { importers } from './importers/index.ts'
import { social } from './social/task.ts'
import { syllogism } from './syllogism/task.ts'

/** ReCogLab (Liu et al., ICLR 2025): relational reasoning and its cognitive effects. */
export const recoglab: Family = {
  name: 'recoglab',
  tasks: [comparison, social, syllogism, families],
  importers,
}
