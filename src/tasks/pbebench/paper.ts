import {
  type ItemCode,
  type Paper,
  type PaperOverlay,
  type PrintedTable,
  paperItem,
  type WrittenItem,
} from '../../core/index.ts'
import { distributions } from './distributions.ts'
import { realWords } from './import/real-words.ts'
import { paperComparisons } from './paper-comparisons/index.ts'
import written from './paper-items.json' with { type: 'json' }
import printed from './printed.json' with { type: 'json' }
import { printedRankings } from './printed-rankings.ts'
import { efficiencyFigure } from './sampling/efficiency.ts'

/** Items that are computed, and those to which a folder adds real words. */
const code: { readonly [item: string]: ItemCode } = {
  ...Object.fromEntries(
    [5, 10, 15, 20, 25].map((length, k): [string, ItemCode] => [
      `Figure ${13 + k}`,
      { compute: (budget) => efficiencyFigure(`pbebench/figure${13 + k}`, length, budget) },
    ]),
  ),
  'Hypothesis H3': { compute: () => printedRankings(printed as readonly PrintedTable[]) },
  'Appendix C.2': { compute: distributions },
  'Table 13': { sourceFrom: realWords },
  'Table 14': { sourceFrom: realWords },
}

const OSS = 'gpt-oss-120b in the paper'
const GPT = 'GPT-5 in the paper'

const inFigure = (printed: string, figure: string, row: PaperOverlay['row']): PaperOverlay => ({
  printed: `pbebench/${printed}`,
  figure: `pbebench/${figure}`,
  row,
})

export const paper: Paper = {
  title: 'PBEBench: A Multi-Step Programming by Examples Reasoning Benchmark inspired by Historical Linguistics',
  authors: 'Naik et al.',
  items: (written as readonly WrittenItem[]).map((one) => paperItem('pbebench', one, code[one.item])),
  printed: printed as readonly PrintedTable[],
  paperComparisons,
  overlays: [
    inFigure('table20', 'figure2', (row) => ({ ...row, pass: row['lastPass'] ?? null, series: `${OSS}, k = 32` })),
    inFigure('table22', 'figure2', (row) => ({ ...row, series: `${GPT}, k = ${row['samples']}` })),
    inFigure('table23', 'figure11', (row) => ({
      k: row['samples'] ?? null,
      pass: row['lastPass'] ?? null,
      model: GPT,
    })),
    inFigure('table25', 'figure11', (row) => ({
      k: row['samples'] ?? null,
      pass: row['lastPass'] ?? null,
      model: OSS,
    })),
    inFigure('table24', 'figure18', (row) => ({ ...row, series: `${GPT} ${row['effort']}` })),
    inFigure('table27', 'figure18', (row) => ({ ...row, pass: row['lastPass'] ?? null, series: OSS })),
  ],
}
