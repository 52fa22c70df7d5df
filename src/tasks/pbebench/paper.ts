import {
  type HowReproduced,
  type Paper,
  type PaperItem,
  type PaperOverlay,
  type PrintedTable,
  paperItems,
  type WrittenItem,
} from '../../core/index.ts'
import { distributions } from './distributions.ts'
import { realWords } from './import/real-words.ts'
import { paperComparisons } from './paper-comparisons/index.ts'
import written from './paper-items.json' with { type: 'json' }
import printed from './printed.json' with { type: 'json' }
import { printedRankings } from './printed-rankings.ts'
import { efficiencyFigure } from './sampling/efficiency.ts'

type Compute = Extract<HowReproduced, { by: 'computation' }>['compute']

const computations: { readonly [item: string]: Compute } = {
  ...Object.fromEntries(
    [5, 10, 15, 20, 25].map((length, k): [string, Compute] => [
      `Figure ${13 + k}`,
      (budget) => efficiencyFigure(`pbebench/figure${13 + k}`, length, budget),
    ]),
  ),
  'Hypothesis H3': () => printedRankings(printed as readonly PrintedTable[]),
  'Appendix C.2': distributions,
}

const { written: entry } = paperItems('pbebench')

/** `words`: real words of a folder may be one more source. */
const paperItem = ({ words = false, ...item }: WrittenItem & { readonly words?: boolean }): PaperItem =>
  entry(item, { compute: computations[item.item], ...(words ? { sourceFrom: realWords } : {}) })

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
  items: written.map(paperItem),
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
