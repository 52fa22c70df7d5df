import { type Analysis, type AnalysisOptions, type Cell, type Frame, optional, tableOf } from '../../../core/index.ts'
import { scores, stateCounts } from '../../../libraries/statistics/index.ts'
import {
  at,
  bestOf,
  byItem,
  conditionsOf,
  estimate,
  itemPasses,
  mean,
  model,
  modelOf,
  number,
  numbers,
  overItems,
  PAPER,
  settingsOf,
  share,
  total,
} from './common.ts'

/** Tables by the released rules: of several samples of an item the one with the highest word-level Edit_Sim counts. */

/** Shares of these samples, under the parser of the frame. */
function publishedFigures(frame: Frame, rows: ArrayLike<number>) {
  const part = (name: string) => numbers(frame, `subscore_${name}Published`)
  const reward = part('editSim')
  const best = byItem(frame, Int32Array.from(rows)).map((list) => bestOf(list, reward))
  return {
    pass: mean(at(part('pass'), best).map((pass) => (pass >= 1 ? 1 : 0))),
    editSim: mean(at(reward, best)),
    valid: validRate(at(part('valid'), best), at(part('invalid'), best)),
    complexity: mean(at(part('complexity'), best)),
  }
}

function validRate(valid: readonly number[], invalid: readonly number[]): number | null {
  const rules = total(valid) + total(invalid)
  return rules === 0 ? null : total(valid) / rules
}

/** Both code blocks of a response that the paper reads. */
const BLOCKS = [
  ['First', 'published-first'],
  ['Last', 'published'],
] as const

/** {@link publishedFigures} of each block; null where no response was read so. */
const bothBlocks = (options: AnalysisOptions, rows: ArrayLike<number>) =>
  BLOCKS.map(([, parser]) => {
    const parsed = options.frameOf(parser)
    return parsed && publishedFigures(parsed, rows)
  })

type Figures = { readonly blocks: ReturnType<typeof bothBlocks> }

/** Pass@1, Edit_Sim, Valid_Rate and complexity, as published (best of all samples) and corrected (every sample counts). */
export const performance = (id: string, item: string, title: string): Analysis => ({
  id: `pbebench/${id}`,
  title,
  source: { paper: PAPER, item },
  notes: [
    'As published: the sample with the highest word-level Edit_Sim counts per item, so Pass@1 is pass@K; percent. Edit_Sim = 1 − wrong / changed words.',
    'Corrected: strict parser, every sample; unparsed, truncated and refused responses count as incorrect; Edit_Sim of characters; CIs over items.',
  ],
  needs: ['score', 'subscore_valid'],
  run(frame, options) {
    const { systems, columns } = conditionsOf(frame)
    const rows = systems.map(({ key, rows: own }) => ({
      key,
      items: byItem(frame, own),
      own,
      states: stateCounts(frame, own),
      blocks: bothBlocks(options, own),
      part: (name: string) => at(numbers(frame, `subscore_${name}`), own),
    }))
    const percent = (value: number | null | undefined) => (value == null ? null : 100 * value)
    const published = tableOf(`pbebench/${id}`, 'As published, best of all samples', [...columns, model], rows, [
      [number('samples', 'Samples'), ({ items }) => Math.max(...items.map((item) => item.length))],
      ...BLOCKS.flatMap(([which, parser], k): readonly Cell<Figures>[] => {
        const label = `${which.toLowerCase()} block`
        if (options.frameOf(parser) === null) return []
        return [
          [number(`pass${which}`, `Pass@1, ${label}`, 'percent'), ({ blocks }) => percent(blocks[k]?.pass)],
          [number(`editSim${which}`, `Edit_Sim, ${label}`, 'percent'), ({ blocks }) => percent(blocks[k]?.editSim)],
          [number(`valid${which}`, `Valid_Rate, ${label}`, 'percent'), ({ blocks }) => percent(blocks[k]?.valid)],
          [number(`complexity${which}`, `Complexity, ${label}`), ({ blocks }) => blocks[k]?.complexity ?? null],
        ]
      }),
    ])
    const corrected = tableOf(`pbebench/${id}-corrected`, 'Corrected: every sample counts', [...columns, model], rows, [
      [number('items', 'Items'), ({ items }) => items.length],
      [estimate('pass', 'Pass@1'), ({ own }) => overItems(itemPasses(frame, own).map(({ pass }) => pass))],
      [share('editSim', 'Edit similarity (characters)'), ({ part }) => mean(part('editSim'))],
      [share('validRate', 'Valid rules'), ({ part }) => validRate(part('valid'), part('invalid'))],
      [number('complexity', 'Complexity', 'characters'), ({ part }) => mean(part('complexity'))],
      [optional(share('heldOut', 'Held-out words')), ({ part }) => mean(part('heldOut'))],
      [optional(number('rulesPerChanged', 'Rules per changed word')), ({ part }) => mean(part('rulesPerChanged'))],
      [number('unparsed', 'Unparsed'), ({ states }) => states.unparsed],
      [number('truncated', 'Truncated'), ({ states }) => states.truncated],
      [number('refused', 'Refused'), ({ states }) => states.refused],
      [number('failed', 'Errors'), ({ states }) => states.failed],
    ])
    return { tables: [published, corrected] }
  },
})

/** Tables 25 to 27: best of a budget of samples, in the columns of the paper. */
const BUDGETS = [1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 64]
const RUNS = 4

const NOTES = [
  'As published: the sample with the highest word-level Edit_Sim counts per item; Pass@1 is whether it passes. First and last code block: two parsers.',
  'Nulls: truncated responses, of all that count for the row.',
]

const LAYOUT: readonly Cell<Figures & { readonly nulls: number }>[] = [
  ...BLOCKS.flatMap(([which], k): readonly Cell<Figures>[] => [
    [share(`pass${which}`, `${which} code block: Pass@1`), ({ blocks }) => blocks[k]?.pass ?? null],
    [share(`editSim${which}`, `${which} code block: Edit Sim`), ({ blocks }) => blocks[k]?.editSim ?? null],
    [share(`valid${which}`, `${which} code block: Valid Rate`), ({ blocks }) => blocks[k]?.valid ?? null],
  ]),
  [number('nulls', 'Nulls', 'responses'), ({ nulls }) => nulls],
]

/** What a row shows of these samples of each item. */
function budgetRow(frame: Frame, options: AnalysisOptions, items: readonly (readonly number[])[]) {
  const finish = frame.category('finish_reason')
  const truncated = finish.levels.indexOf('truncated')
  const rows = items.flat()
  return { blocks: bothBlocks(options, rows), nulls: rows.filter((row) => finish.codes[row] === truncated).length }
}

const budget = number('budget', 'Sampling Budget', 'samples')

/** By the number of samples: the first k of each item. */
export const bySampleBudget: Analysis = {
  id: 'pbebench/table25',
  title: 'Performance by sampling budget',
  source: { paper: PAPER, item: 'Table 25' },
  notes: [...NOTES, 'A budget of k takes the first k samples of one run; the paper has a run for each k.'],
  needs: ['score', 'sample', 'finish_reason', 'subscore_valid'],
  run(frame, options) {
    const { systems, columns } = conditionsOf(frame)
    const rows = systems.flatMap(({ key, rows: own }) => {
      const items = byItem(frame, own)
      const most = Math.min(...items.map((item) => item.length))
      return BUDGETS.filter((k) => k <= most).map((k) => {
        const first = items.map((item) => item.slice(0, k))
        return { key, k, ...budgetRow(frame, options, first) }
      })
    })
    const made = tableOf('pbebench/table25', 'By sampling budget, as published', [...columns, model], rows, [
      [budget, ({ k }) => k],
      ...LAYOUT,
    ])
    return { tables: [made] }
  },
}

/** By the token limit of a response. */
export const bySequenceLength: Analysis = {
  id: 'pbebench/table27',
  title: 'Performance by token limit',
  source: { paper: PAPER, item: 'Table 27' },
  notes: [...NOTES, 'Rows are settings with a token limit; all samples count.'],
  needs: ['score', 'settings', 'finish_reason', 'subscore_valid'],
  run(frame, options) {
    const { conditions, columns } = conditionsOf(frame)
    const rows = conditions.flatMap(({ systems }) =>
      systems
        .flatMap(({ key, rows: own }) => {
          const { maxTokens, effort } = settingsOf(frame, own)
          const name = `${modelOf(frame, own)} ${effort ?? ''}`.trim()
          if (maxTokens === null) return []
          return [{ key: { ...key, model: name }, maxTokens, ...budgetRow(frame, options, byItem(frame, own)) }]
        })
        .sort(
          ({ key: a, ...one }, { key: b, ...other }) =>
            (a.model < b.model ? -1 : a.model > b.model ? 1 : 0) || one.maxTokens - other.maxTokens,
        ),
    )
    const made = tableOf('pbebench/table27', 'By token limit, as published', [...columns, model], rows, [
      [number('maxTokens', 'Max Seq Length', 'tokens'), ({ maxTokens }) => maxTokens],
      ...LAYOUT,
    ])
    return { tables: [made] }
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
  needs: ['score', 'sample', 'finish_reason', 'subscore_valid'],
  run(frame, options) {
    const value = scores(frame)
    const { systems, columns } = conditionsOf(frame)
    const rows = systems.flatMap(({ key, rows: own }) => {
      const items = byItem(frame, own)
      const size = Math.floor(Math.min(...items.map((item) => item.length)) / RUNS)
      return Array.from({ length: size < 1 ? 0 : RUNS }, (_, block) => {
        const parts = items.map((item) => item.slice(block * size, (block + 1) * size))
        return { key, block: block + 1, size, parts, ...budgetRow(frame, options, parts) }
      })
    })
    const named: readonly Cell<(typeof rows)[number]>[] = [
      [number('block', 'Block'), ({ block }) => block],
      [budget, ({ size }) => size],
    ]
    const leading = [...columns, model]
    const solved = (part: readonly number[]) => (at(value, part).some((score) => score >= 1) ? 1 : 0)
    return {
      tables: [
        tableOf('pbebench/table26', 'Best of a block of samples, as published', leading, rows, [...named, ...LAYOUT]),
        tableOf('pbebench/table26-corrected', 'Best of a block of samples, corrected', leading, rows, [
          ...named,
          [estimate('pass', 'Solved by any sample'), ({ parts }) => overItems(parts.map(solved))],
          [number('failed', 'Errors'), ({ parts }) => at(value, parts.flat()).filter(Number.isNaN).length],
        ]),
      ],
    }
  },
}
