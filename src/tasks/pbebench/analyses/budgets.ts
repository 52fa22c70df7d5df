import { type Analysis, type AnalysisOptions, type Column, type Frame, table } from '../../../core/index.ts'
import { scores } from '../../../libraries/statistics/index.ts'
import {
  at,
  byItem,
  conditionsOf,
  estimate,
  model,
  modelOf,
  number,
  overItems,
  PAPER,
  settingsOf,
  share,
} from './common.ts'
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
  'As published: the sample with the highest word-level Edit_Sim counts per item; Pass@1 is whether it passes. First and last code block: two parsers.',
  'Nulls: truncated responses, of all that count for the row.',
]

/** One row: these samples of each item. */
function layoutRow(frame: Frame, options: AnalysisOptions, items: readonly (readonly number[])[]) {
  const rows = Int32Array.from(items.flat())
  const finish = frame.category('finish')
  const truncated = finish.levels.indexOf('truncated')
  const block = (parser: string, which: 'First' | 'Last') => {
    const parsed = options.frameOf(parser)
    if (parsed === null) return {}
    const { pass, editSim, valid } = publishedFigures(parsed, rows)
    return { [`pass${which}`]: pass, [`editSim${which}`]: editSim, [`valid${which}`]: valid }
  }
  return {
    ...block('published-first', 'First'),
    ...block('published', 'Last'),
    nulls: rows.filter((row) => finish.codes[row] === truncated).length,
  }
}

/** By the number of samples: the first k of each item. */
export const bySampleBudget: Analysis = {
  id: 'pbebench/table25',
  title: 'Performance by sampling budget',
  source: { paper: PAPER, item: 'Table 25' },
  notes: [...NOTES, 'A budget of k takes the first k samples of one run; the paper has a run for each k.'],
  needs: ['value', 'sample', 'finish', 'part_valid'],
  run(frame, options) {
    const { systems, columns } = conditionsOf(frame)
    const rows = systems.flatMap(({ key, rows: own }) => {
      const items = byItem(frame, own)
      const most = Math.min(...items.map((item) => item.length))
      return BUDGETS.filter((k) => k <= most).map((k) => {
        const first = items.map((item) => item.slice(0, k))
        return { ...key, budget: k, ...layoutRow(frame, options, first) }
      })
    })
    const all = [...columns, model, number('budget', 'Sampling Budget', 'samples'), ...LAYOUT]
    return { tables: [table('pbebench/table25', 'By sampling budget, as published', all, rows)] }
  },
}

/** By the token limit of a response. */
export const bySequenceLength: Analysis = {
  id: 'pbebench/table27',
  title: 'Performance by token limit',
  source: { paper: PAPER, item: 'Table 27' },
  notes: [...NOTES, 'Rows are settings with a token limit; all samples count.'],
  needs: ['value', 'settings', 'finish', 'part_valid'],
  run(frame, options) {
    const { conditions, columns } = conditionsOf(frame)
    const rows = conditions.flatMap(({ systems }) =>
      systems
        .flatMap(({ key, rows: own }) => {
          const { maxTokens, effort } = settingsOf(frame, own)
          const name = `${modelOf(frame, own)} ${effort ?? ''}`.trim()
          return maxTokens === null
            ? []
            : [{ ...key, model: name, maxTokens, ...layoutRow(frame, options, byItem(frame, own)) }]
        })
        .sort((a, b) => (a.model < b.model ? -1 : a.model > b.model ? 1 : a.maxTokens - b.maxTokens)),
    )
    const all = [...columns, model, number('maxTokens', 'Max Seq Length', 'tokens'), ...LAYOUT]
    return { tables: [table('pbebench/table27', 'By token limit, as published', all, rows)] }
  },
}

/** The same run in blocks of samples: how much results vary between runs. */
export const variance: Analysis = {
  id: 'pbebench/table26',
  title: 'Variation between runs',
  source: { paper: PAPER, item: 'Table 26' },
  notes: [
    ...NOTES,
    'Samples form four blocks in their order, each scored like a run. Corrected: strict parser, solved by any sample, CI over items.',
  ],
  needs: ['value', 'sample', 'finish', 'part_valid'],
  run(frame, options) {
    const value = scores(frame)
    const { systems, columns } = conditionsOf(frame)
    const rows = systems.flatMap(({ key, rows: own }) => {
      const items = byItem(frame, own)
      const size = Math.floor(Math.min(...items.map((item) => item.length)) / RUNS)
      if (size < 1) return []
      return Array.from({ length: RUNS }, (_, block) => {
        const parts = items.map((item) => item.slice(block * size, (block + 1) * size))
        return {
          ...key,
          block: block + 1,
          budget: size,
          ...layoutRow(frame, options, parts),
          pass: overItems(parts.map((part) => (at(value, part).some((score) => score >= 1) ? 1 : 0))),
          failed: at(value, parts.flat()).filter(Number.isNaN).length,
        }
      })
    })
    const named = [...columns, model, number('block', 'Block'), number('budget', 'Sampling Budget', 'samples')]
    const corrected = [estimate('pass', 'Solved by any sample'), number('failed', 'Errors')]
    return {
      tables: [
        table('pbebench/table26', 'Best of a block of samples, as published', [...named, ...LAYOUT], rows),
        table('pbebench/table26-corrected', 'Best of a block of samples, corrected', [...named, ...corrected], rows),
      ],
    }
  },
}
