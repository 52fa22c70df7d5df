import { type Paper, type PrintedTable, paperItem, type WrittenItem } from '../../core/index.ts'
import { paperComparisons } from './paper-comparisons.ts'
import written from './paper-items.json' with { type: 'json' }
import printed from './printed.json' with { type: 'json' }

export const paper: Paper = {
  title: 'A Formal Language Benchmark for LLMs',
  authors: 'Ghosh, Gummadi and Terzi',
  items: (written as readonly WrittenItem[]).map((one) => paperItem('proficiency', one)),
  printed: printed as readonly PrintedTable[],
  paperComparisons,
}
