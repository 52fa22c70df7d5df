import type { Analysis, AnalysisOptions, Column, Frame, Table } from '../../../core/index.ts'
import { scores } from '../../../libraries/statistics/index.ts'
import { partsOf } from './arms.ts'
import { byItem, estimate, number, overItems, PAPER, settingsOf, share, text } from './common.ts'
import { publishedFigures } from './performance.ts'

/** Tables 25, 26 and 27: best of a budget of samples by the released rules, in the columns of the paper. */

const BUDGETS = [1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 64]
const RUNS = 4

const LAYOUT: readonly Column[] = [
  ...(['First', 'Last'] as const).flatMap((which) => [
    share(`pass${which}`, `${which} code block: Pass@1`),
    share(`editSim${which}`, `${which} code block: Edit Sim`),
    share(`valid${which}`, `${which} code block: Valid Rate`),
  ]),
  number('nulls', 'Nulls', 'responses'),
]

const NOTES = [
  'As published: of the samples of an item the one with the highest word-level Edit_Sim counts, and Pass@1 is whether that one passes. First and last code block are two readings of the same responses.',
  'Nulls: responses that were cut off before they ended, of all that count for the row.',
]

/** One row: these samples of each item. */
function layoutRow(frame: Frame, options: AnalysisOptions, items: readonly (readonly number[])[]) {
  const rows = Int32Array.from(items.flat())
  const finish = frame.category('finish')
  const cut = finish.levels.indexOf('truncated')
  const block = (parser: string, which: 'First' | 'Last') => {
    const read = options.frameOf(parser)
    if (read === null) return {}
    const { pass, editSim, valid } = publishedFigures(read, rows)
    return { [`pass${which}`]: pass, [`editSim${which}`]: editSim, [`valid${which}`]: valid }
  }
  return {
    ...block('published-first', 'First'),
    ...block('published', 'Last'),
    nulls: rows.filter((row) => finish.codes[row] === cut).length,
  }
}

/** By the number of samples: the first k of each item. */
export const bySampleBudget: Analysis = {
  id: 'pbebench/table25',
  title: 'Performance by sampling budget',
  source: { paper: PAPER, item: 'Table 25' },
  notes: [
    ...NOTES,
    'A budget of k takes the first k samples of every item of one run, where the paper has a run of its own for each k.',
  ],
  needs: ['value', 'sample', 'finish', 'part_valid'],
  run(frame, options) {
    const { arms, columns: named } = partsOf(frame)
    const rows = arms.flatMap(({ key: arm, rows: list }) => {
      const items = byItem(frame, list)
      const most = Math.min(...items.map((item) => item.length))
      return BUDGETS.filter((k) => k <= most).map((k) => {
        const first = items.map((item) => item.slice(0, k))
        return { ...arm, budget: k, ...layoutRow(frame, options, first) }
      })
    })
    const columns = [...named, text('model', 'Model'), number('budget', 'Sampling Budget', 'samples'), ...LAYOUT]
    return { tables: [{ id: 'pbebench/table25', title: 'By sampling budget, as published', columns, rows }] }
  },
}

/** By the largest number of tokens a response may have. */
export const bySequenceLength: Analysis = {
  id: 'pbebench/table27',
  title: 'Performance by largest number of tokens',
  source: { paper: PAPER, item: 'Table 27' },
  notes: [...NOTES, 'Rows are settings with a largest number of tokens; all samples count.'],
  needs: ['value', 'settings', 'finish', 'part_valid'],
  run(frame, options) {
    const [models, settings] = [frame.category('model'), frame.category('settings')]
    const { parts, columns: named } = partsOf(frame)
    const rows = parts.flatMap((part) =>
      part.arms
        .flatMap(({ key, rows: list }) => {
          const first = list[0] as number
          const { maxTokens, effort } = settingsOf(settings.levels[settings.codes[first] as number] ?? '')
          const model = `${models.levels[models.codes[first] as number] ?? ''} ${effort ?? ''}`.trim()
          return maxTokens === null
            ? []
            : [{ ...key, model, maxTokens, ...layoutRow(frame, options, byItem(frame, list)) }]
        })
        .sort((a, b) => (a.model < b.model ? -1 : a.model > b.model ? 1 : a.maxTokens - b.maxTokens)),
    )
    const columns = [...named, text('model', 'Model'), number('maxTokens', 'Max Seq Length', 'tokens'), ...LAYOUT]
    const tables: Table[] = [
      { id: 'pbebench/table27', title: 'By largest number of tokens, as published', columns, rows },
    ]
    return { tables: rows.length === 0 ? [] : tables }
  },
}

/** The same run in blocks of samples: how much a result varies from run to run. */
export const variance: Analysis = {
  id: 'pbebench/table26',
  title: 'Variation from run to run',
  source: { paper: PAPER, item: 'Table 26' },
  notes: [
    ...NOTES,
    'Samples are cut into four blocks in their order; each block is scored as if it were a run of its own. Corrected: the strict parser, solved by any sample, with an interval over items.',
  ],
  needs: ['value', 'sample', 'finish', 'part_valid'],
  run(frame, options) {
    const value = scores(frame)
    const { arms, columns: named } = partsOf(frame)
    const rows = arms.flatMap(({ key: arm, rows: list }) => {
      const items = byItem(frame, list)
      const size = Math.floor(Math.min(...items.map((item) => item.length)) / RUNS)
      if (size < 1) return []
      return Array.from({ length: RUNS }, (_, block) => {
        const parts = items.map((item) => item.slice(block * size, (block + 1) * size))
        return {
          ...arm,
          block: block + 1,
          budget: size,
          ...layoutRow(frame, options, parts),
          pass: overItems(parts.map((part) => (part.some((row) => (value[row] as number) >= 1) ? 1 : 0))),
          failed: parts.flat().filter((row) => Number.isNaN(value[row] as number)).length,
        }
      })
    })
    if (rows.length === 0) return { tables: [] }
    const key = [
      ...named,
      text('model', 'Model'),
      number('block', 'Block'),
      number('budget', 'Sampling Budget', 'samples'),
    ]
    return {
      tables: [
        {
          id: 'pbebench/table26',
          title: 'Best of a block of samples, as published',
          columns: [...key, ...LAYOUT],
          rows,
        },
        {
          id: 'pbebench/table26-corrected',
          title: 'Best of a block of samples, corrected',
          columns: [...key, estimate('pass', 'Solved by any sample'), number('failed', 'Failed')],
          rows,
        },
      ],
    }
  },
}
