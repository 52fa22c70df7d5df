import type { Analysis, AnalysisOptions, Frame, Table } from '../../../core/index.ts'
import { scores, stateCounts } from '../../../libraries/statistics/index.ts'
import { partsOf } from './arms.ts'
import { bestOf, byItem, estimate, mean, number, numbers, overItems, PAPER, passed, share, text } from './common.ts'

/** Pass@1, Edit_Sim, Valid_Rate and complexity, as published (best of all samples) and corrected (every sample counts). */
export function performance(id: string, item: string, title: string): Analysis {
  return {
    id: `pbebench/${id}`,
    title,
    source: { paper: PAPER, item },
    notes: [
      'As published: of all samples of an item the one with the highest word-level Edit_Sim counts, so Pass@1 is pass@K; percent. Edit_Sim is 1 - wrong words / words to change, although the text describes character distances.',
      'Corrected: the strict parser, every sample counted; truncated, refused and unparsed answers are not correct and are shown; Edit_Sim is of characters; intervals are over items.',
    ],
    needs: ['value', 'part_valid'],
    run: (frame, options) => ({ tables: [publishedTable(id, frame, options), correctedTable(id, frame)] }),
  }
}

function publishedTable(id: string, frame: Frame, options: AnalysisOptions): Table {
  const last = options.frameOf('published')
  const first = options.frameOf('published-first')
  const { arms, columns } = partsOf(frame)
  const rows = arms.map(({ key, rows: list }) => ({
    ...key,
    samples: Math.max(...byItem(frame, list).map((item) => item.length)),
    ...(first === null ? {} : columnsOf(first, list, 'First')),
    ...(last === null ? {} : columnsOf(last, list, 'Last')),
  }))
  const block = (which: string, label: string) => [
    number(`pass${which}`, `Pass@1, ${label}`, 'percent'),
    number(`editSim${which}`, `Edit_Sim, ${label}`, 'percent'),
    number(`valid${which}`, `Valid_Rate, ${label}`, 'percent'),
    number(`complexity${which}`, `Complexity, ${label}`),
  ]
  return {
    id: `pbebench/${id}`,
    title: 'As published, best of all samples',
    columns: [
      ...columns,
      text('model', 'Model'),
      number('samples', 'Samples'),
      ...(first === null ? [] : block('First', 'first block')),
      ...(last === null ? [] : block('Last', 'last block')),
    ],
    rows,
  }
}

function columnsOf(frame: Frame, rows: Int32Array, which: string): { readonly [key: string]: number | null } {
  const { pass, editSim, valid, complexity } = publishedFigures(frame, rows)
  const percent = (value: number | null) => (value === null ? null : 100 * value)
  return {
    [`pass${which}`]: percent(pass),
    [`editSim${which}`]: percent(editSim),
    [`valid${which}`]: percent(valid),
    [`complexity${which}`]: complexity,
  }
}

/** Shares by the released rules: of all these samples of an item the one with the highest word-level Edit_Sim counts. */
export function publishedFigures(
  frame: Frame,
  rows: Int32Array,
): { readonly [K in 'pass' | 'editSim' | 'valid' | 'complexity']: number | null } {
  const part = (name: string) => numbers(frame, `part_${name}`)
  const [pass, reward] = [part('passPublished'), part('editSimPublished')]
  const [valid, invalid, complexity] = [part('validPublished'), part('invalidPublished'), part('complexityPublished')]
  const best = byItem(frame, rows).map((list) => bestOf(list, reward))
  const sum = (values: Float64Array) =>
    best.reduce((total, row) => total + (Number.isNaN(values[row] as number) ? 0 : (values[row] as number)), 0)
  const rules = sum(valid) + sum(invalid)
  return {
    pass: mean(best.map((row) => passed(pass[row] as number))),
    editSim: mean(best.map((row) => reward[row] as number)),
    valid: rules === 0 ? null : sum(valid) / rules,
    complexity: mean(best.map((row) => complexity[row] as number)),
  }
}

function correctedTable(id: string, frame: Frame): Table {
  const value = scores(frame)
  const [edit, valid, invalid, complexity] = ['editSim', 'valid', 'invalid', 'complexity'].map((name) =>
    numbers(frame, `part_${name}`),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array]
  const [held, perChanged] = [numbers(frame, 'part_heldOut'), numbers(frame, 'part_rulesPerChanged')]
  const { arms, columns } = partsOf(frame)
  const rows = arms.map(({ key, rows: list }) => {
    const items = byItem(frame, list)
    const perItem = items
      .map((item) =>
        mean(item.map((row) => (Number.isNaN(value[row] as number) ? Number.NaN : passed(value[row] as number)))),
      )
      .filter((one) => one !== null)
    const states = stateCounts(frame, list)
    const all = (values: Float64Array) => [...list].map((row) => values[row] as number)
    const total = (values: Float64Array) => all(values).reduce((sum, x) => sum + (Number.isNaN(x) ? 0 : x), 0)
    const rules = total(valid) + total(invalid)
    return {
      ...key,
      items: items.length,
      pass: overItems(perItem),
      editSim: mean(all(edit)),
      validRate: rules === 0 ? null : total(valid) / rules,
      complexity: mean(all(complexity)),
      heldOut: mean(all(held)),
      rulesPerChanged: mean(all(perChanged)),
      unparsed: states.unparsed,
      truncated: states.truncated,
      refused: states.refused,
      failed: states.failed,
    }
  })
  return {
    id: `pbebench/${id}-corrected`,
    title: 'Corrected: every sample counts',
    columns: [
      ...columns,
      text('model', 'Model'),
      number('items', 'Items'),
      estimate('pass', 'Pass@1'),
      share('editSim', 'Edit similarity (characters)'),
      share('validRate', 'Valid rules'),
      number('complexity', 'Complexity', 'characters'),
      ...(frame.has('part_heldOut') ? [share('heldOut', 'Held-out words')] : []),
      ...(frame.has('part_rulesPerChanged') ? [number('rulesPerChanged', 'Rules per changed word')] : []),
      number('unparsed', 'Unparsed'),
      number('truncated', 'Truncated'),
      number('refused', 'Refused'),
      number('failed', 'Failed'),
    ],
    rows,
  }
}
