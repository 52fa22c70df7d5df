import {
  type ColumnPlace,
  modelNames,
  type PaperComparison,
  paperColumn,
  reportColumn,
  type Table,
} from '../../../core/index.ts'

export type Row = Table['rows'][number]

/** Models of the tables whose names in the paper and elsewhere differ by more than a provider or a date. */
export const named = modelNames({
  'Codestral-22B': ['codestral-22b-v0.1'],
  'Qwen2.5-32B-Instruct': [],
  'Qwen2.5-Coder-32B-Instruct': ['Qwen2.5Coder-32B-Instruct'],
  'Qwen3-32B': [],
  'Qwen3-Coder-30B-A3B-Instruct': [],
  'DeepSeek-R1-Distill-Qwen-32B': [],
  'Qwen3-30B-A3B': [],
  'QwQ-32B': [],
  'Qwen3-32B (with CoT)': [],
  'gpt-oss-20b': [],
  'gpt-oss-120b': [],
  'Claude-3.5-Sonnet': ['claude-3-5-sonnet'],
  'Claude-3.7-Sonnet': ['claude-3-7-sonnet'],
  'Claude-4-Sonnet': ['claude-sonnet-4', 'Claude-4 Sonnet'],
  'Claude-4.5-Sonnet': ['claude-sonnet-4-5'],
  'o3-mini': [],
  'o4-mini': [],
  'Gemini 2.5 Flash': [],
  'GPT-5': [],
})

export const text = (row: Row, key: string): string => String(row[key] ?? '')
export const model = (row: Row): string => named(text(row, 'model'))

/** A measure of one column, in the paper and in ours. */
export interface Measured {
  readonly measure: string
  readonly column: string
  readonly published?: readonly [table: string, place: ColumnPlace]
  readonly corrected?: readonly [table: string, place: ColumnPlace]
  readonly reason: string
}

export const measures = (
  printed: string,
  row: (row: Row) => string | null,
  all: readonly Measured[],
): readonly PaperComparison[] =>
  all.map(({ measure, column, published, corrected, reason }) => ({
    printed: `pbebench/${printed}`,
    measure,
    paper: paperColumn({ column, row }),
    ...(published === undefined ? {} : { published: reportColumn(...published) }),
    ...(corrected === undefined ? {} : { corrected: reportColumn(...corrected) }),
    reason,
  }))

export const column = (table: string, key: string, times = 1) =>
  [`pbebench/${table}`, { column: key, row: model, times }] as const

/** The same of a table that the paper has for one model: rows meet whatever the models, which are named beside the items. */
export const columnOfModels = (table: string, key: string, row: (row: Row) => string | null, times = 1) =>
  [`pbebench/${table}`, { column: key, row, times, axes: ['model', 'config', 'style'] }] as const
