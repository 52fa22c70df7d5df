import { type Analysis, type AnalysisOptions, type Frame, optional, type Table, table } from '../../../core/index.ts'
import { stateCounts } from '../../../libraries/statistics/index.ts'
import {
  at,
  bestOf,
  byItem,
  conditionsOf,
  estimate,
  itemPasses,
  mean,
  model,
  number,
  numbers,
  overItems,
  PAPER,
  share,
  total,
} from './common.ts'

/** Pass@1, Edit_Sim, Valid_Rate and complexity, as published (best of all samples) and corrected (every sample counts). */
export const performance = (id: string, item: string, title: string): Analysis => ({
  id: `pbebench/${id}`,
  title,
  source: { paper: PAPER, item },
  notes: [
    'As published: the sample with the highest word-level Edit_Sim counts per item, so Pass@1 is pass@K; percent. Edit_Sim = 1 − wrong / changed words.',
    'Corrected: strict parser, every sample; unparsed, truncated and refused responses count as incorrect; Edit_Sim of characters; CIs over items.',
  ],
  needs: ['value', 'part_valid'],
  run: (frame, options) => ({ tables: [publishedTable(id, frame, options), correctedTable(id, frame)] }),
})

function publishedTable(id: string, frame: Frame, options: AnalysisOptions): Table {
  const blocks = (
    [
      ['First', 'first block', 'published-first'],
      ['Last', 'last block', 'published'],
    ] as const
  ).flatMap(([which, label, parser]) => {
    const parsed = options.frameOf(parser)
    return parsed === null ? [] : [{ which, label, parsed }]
  })
  const percent = (value: number | null) => (value === null ? null : 100 * value)
  const { systems, columns } = conditionsOf(frame)
  return table(
    `pbebench/${id}`,
    'As published, best of all samples',
    [
      ...columns,
      model,
      number('samples', 'Samples'),
      ...blocks.flatMap(({ which, label }) => [
        number(`pass${which}`, `Pass@1, ${label}`, 'percent'),
        number(`editSim${which}`, `Edit_Sim, ${label}`, 'percent'),
        number(`valid${which}`, `Valid_Rate, ${label}`, 'percent'),
        number(`complexity${which}`, `Complexity, ${label}`),
      ]),
    ],
    systems.map(({ key, rows }) => ({
      ...key,
      samples: Math.max(...byItem(frame, rows).map((item) => item.length)),
      ...Object.fromEntries(
        blocks.flatMap(({ which, parsed }) => {
          const { pass, editSim, valid, complexity } = publishedFigures(parsed, rows)
          return [
            [`pass${which}`, percent(pass)],
            [`editSim${which}`, percent(editSim)],
            [`valid${which}`, percent(valid)],
            [`complexity${which}`, complexity],
          ]
        }),
      ),
    })),
  )
}

/** Shares by the released rules: per item, of all these samples the one with the highest word-level Edit_Sim counts. */
export function publishedFigures(frame: Frame, rows: Int32Array) {
  const part = (name: string) => numbers(frame, `part_${name}Published`)
  const reward = part('editSim')
  const best = byItem(frame, rows).map((list) => bestOf(list, reward))
  const valid = total(at(part('valid'), best))
  const rules = valid + total(at(part('invalid'), best))
  return {
    pass: mean(at(part('pass'), best).map((pass) => (pass >= 1 ? 1 : 0))),
    editSim: mean(at(reward, best)),
    valid: rules === 0 ? null : valid / rules,
    complexity: mean(at(part('complexity'), best)),
  }
}

function correctedTable(id: string, frame: Frame): Table {
  const { systems, columns } = conditionsOf(frame)
  return table(
    `pbebench/${id}-corrected`,
    'Corrected: every sample counts',
    [
      ...columns,
      model,
      number('items', 'Items'),
      estimate('pass', 'Pass@1'),
      share('editSim', 'Edit similarity (characters)'),
      share('validRate', 'Valid rules'),
      number('complexity', 'Complexity', 'characters'),
      optional(share('heldOut', 'Held-out words')),
      optional(number('rulesPerChanged', 'Rules per changed word')),
      number('unparsed', 'Unparsed'),
      number('truncated', 'Truncated'),
      number('refused', 'Refused'),
      number('failed', 'Errors'),
    ],
    systems.map(({ key, rows }) => {
      const part = (name: string) => at(numbers(frame, `part_${name}`), rows)
      const { unparsed, truncated, refused, failed } = stateCounts(frame, rows)
      const valid = total(part('valid'))
      const rules = valid + total(part('invalid'))
      return {
        ...key,
        items: byItem(frame, rows).length,
        pass: overItems(itemPasses(frame, rows).map(({ pass }) => pass)),
        editSim: mean(part('editSim')),
        validRate: rules === 0 ? null : valid / rules,
        complexity: mean(part('complexity')),
        heldOut: mean(part('heldOut')),
        rulesPerChanged: mean(part('rulesPerChanged')),
        unparsed,
        truncated,
        refused,
        failed,
      }
    }),
  )
}
