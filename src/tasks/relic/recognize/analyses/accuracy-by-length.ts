import type { Figure, Mark } from '../../../../core/index.ts'

/** A drawing of accuracies against the length of the string, a panel a model. */
export const accuracyByLength = (id: string, title: string, table: string, marks: readonly Mark[]): Figure => ({
  id,
  title,
  table,
  x: { key: 'length', label: 'Length', unit: 'tokens', scale: 'linear' },
  y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
  facet: 'model',
  marks,
})
