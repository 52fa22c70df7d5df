import { type Paper, type PrintedTable, paperItem, type WrittenItem } from '../../core/index.ts'
import { paperComparisons } from './paper-comparisons.ts'
import written from './paper-items.json' with { type: 'json' }
import printed from './printed.json' with { type: 'json' }
import { table5 } from './table5.ts'

export const paper: Paper = {
  title: 'RELIC: Evaluating Compositional Instruction Following via Language Recognition',
  authors: 'Petty, Hu, Wang, Ravfogel, Merrill and Linzen 2025',
  items: (written as readonly WrittenItem[]).map((one) =>
    paperItem('relic', one, one.item === 'Table 5' ? { compute: table5 } : {}),
  ),
  printed: printed as readonly PrintedTable[],
  paperComparisons,
}
