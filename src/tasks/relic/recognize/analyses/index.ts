import type { Analysis } from '../../../../core/index.ts'
import { familyAnalyses } from '../../grammars/analyses/index.ts'
import { figure2 } from './figure2.ts'
import { figure3 } from './figure3.ts'
import { figure4 } from './figure4.ts'
import { figure6 } from './figure6.ts'
import { figure13 } from './figure13.ts'
import { growth, inflection } from './growth.ts'
import { ofItems } from './items.ts'
import { table1 } from './table1.ts'
import { table2 } from './table2.ts'
import { table3 } from './table3.ts'
import { work } from './work.ts'

/** The tables and figures of the RELIC paper that responses can produce, each as published and corrected. */
export const analyses: readonly Analysis[] = [
  table1,
  figure2,
  inflection,
  figure3,
  figure4,
  table2,
  table3,
  figure6,
  growth,
  figure13,
  ...ofItems,
  work,
  ...familyAnalyses,
]
