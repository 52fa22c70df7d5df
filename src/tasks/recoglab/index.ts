import type { Family } from '../../core/define.ts'
import { countersWith } from '../../libraries/language/tokens.ts'
import { comparison, comparisonWith } from './comparison/task.ts'
import { families, familiesWith } from './families/task.ts'
import { importers } from './importers/index.ts'
import { paper } from './paper.ts'
import { social, socialWith } from './social/task.ts'
import { syllogism, syllogismWith } from './syllogism/task.ts'

/** ReCogLab (Liu et al., ICLR 2025): relational reasoning and its cognitive effects. */
export const recoglab: Family = {
  name: 'recoglab',
  tasks: [comparison, social, syllogism, families],
  importers,
  paper,
  withTokenCounters(more) {
    const counters = countersWith(more)
    return {
      ...recoglab,
      tasks: [comparisonWith, socialWith, syllogismWith, familiesWith].map((make) => make(counters)),
    }
  },
}
