import { type Paper, type PrintedTable, paperItem, type WrittenItem } from '../../core/index.ts'
import { paperComparisons } from './paper-comparisons.ts'
import written from './paper-items.json' with { type: 'json' }
import printed from './printed.json' with { type: 'json' }

export const paper: Paper = {
  title: 'ReCogLab: a framework testing relational reasoning and cognitive hypotheses on LLMs',
  authors: 'Liu et al. 2025',
  items: (written as readonly WrittenItem[]).map((one) => paperItem('recoglab', one)),
  printed: printed as readonly PrintedTable[],
  paperComparisons,
}
