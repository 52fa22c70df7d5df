import type { Column } from './analysis.ts'

const unitOf = (unit: string | null | undefined): Pick<Column, 'unit'> => (unit ? { unit } : {})

/**
 * Table columns by content: text, number, share in 0..1, or estimate with interval. The unit is shown beside the label.
 *
 * @example
 * import { column } from '@touchstone-eval/touchstone/task'
 *
 * const columns = [column.text('model', 'Model'), column.number('length', 'Length', 'tokens'), column.estimate('accuracy', 'Accuracy')]
 * console.log(columns.map(({ kind, unit }) => `${kind} ${unit}`)) // [ 'text undefined', 'number tokens', 'estimate share' ]
 */
export const column = {
  text: (key: string, label: string): Column => ({ key, label, kind: 'text' }),
  number: (key: string, label: string, unit?: string): Column => ({ key, label, kind: 'number', ...unitOf(unit) }),
  share: (key: string, label: string): Column => ({ key, label, kind: 'share', unit: 'share' }),
  /** `unit` null: no unit. */
  estimate: (key: string, label: string, unit: string | null = 'share'): Column => ({
    key,
    label,
    kind: 'estimate',
    ...unitOf(unit),
  }),
} as const
