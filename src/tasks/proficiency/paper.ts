import { type Paper, type PrintedTable, paperItems, type WrittenItem } from '../../core/index.ts'
import { paperComparisons } from './paper-comparisons.ts'
import written from './paper-items.json' with { type: 'json' }
import printed from './printed.json' with { type: 'json' }

const { written: entry } = paperItems('proficiency')

export const paper: Paper = {
  title: 'A Formal Language Benchmark for LLMs',
  authors: 'Ghosh, Gummadi and Terzi',
  items: (written as readonly WrittenItem[]).map((item) => entry(item)),
  printed: printed as readonly PrintedTable[],
  paperComparisons,
}
