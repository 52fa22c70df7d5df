import type { Analysis, Column } from '../../core/index.ts'
import { meanOrNull, median, sum, takeKnown } from '../../libraries/statistics/index.ts'
import { blocks, byModel, count, text } from './columns.ts'

const MEANS = [
  ['inputTokens', 'Input tokens'],
  ['outputTokens', 'Output tokens'],
  ['reasoningTokens', 'Reasoning tokens'],
] as const

/** What the answers cost: tokens, seconds, money. */
export const usage: Analysis = {
  id: 'core/usage',
  title: 'Tokens, time and cost',
  notes: ['Means, medians and totals are over the cells for which the number is known.'],
  needs: ['task', 'config', 'style', 'model'],
  run(frame) {
    const { blocks: parts, columns } = blocks(frame)
    const has = (name: string) => frame.has(name) && frame.number(name).some((value) => !Number.isNaN(value))
    const means = MEANS.filter(([name]) => has(name))
    const [seconds, usd] = [has('seconds'), has('usd')]
    if (means.length === 0 && !seconds && !usd) return { tables: [] }
    const known = (name: string, rows: Int32Array) => takeKnown(frame.number(name), rows)
    const written = has('outputTokens')
    const extra: Column[] = [
      ...means.map(([name, label]) => count(name, `${label} (mean)`)),
      ...(written ? [count('written', 'Output tokens (total)')] : []),
      ...(seconds ? [{ ...count('seconds', 'Time (median)'), unit: 's' }] : []),
      ...(usd ? [{ ...count('usd', 'Cost (total)'), unit: 'USD' }] : []),
    ]
    const rows = byModel(frame, parts).map(({ key, rows: mine }) => ({
      ...key,
      cells: mine.length,
      ...Object.fromEntries(means.map(([name]) => [name, meanOrNull(known(name, mine))])),
      ...(written ? { written: total(known('outputTokens', mine)) } : {}),
      ...(seconds ? { seconds: median(known('seconds', mine)) } : {}),
      ...(usd ? { usd: total(known('usd', mine)) } : {}),
    }))
    const table = {
      id: 'core/usage',
      title: 'Tokens, time and cost by model',
      columns: [...columns, text('model', 'Model'), count('cells', 'Cells'), ...extra],
      rows,
    }
    return { tables: [table] }
  },
}

const total = (values: Float64Array): number | null => (values.length === 0 ? null : sum(values))
