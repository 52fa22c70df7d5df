import type { Table } from '../core/index.ts'

type Row = Table['rows'][number]

/** A pair is significant below this Holm-adjusted p. */
export const ALPHA = 0.05

export const isSignificant = ({ holm }: Row): boolean => typeof holm === 'number' && holm < ALPHA

/** The columns that name a condition. */
export const CONDITION_KEYS: readonly string[] = ['task', 'config', 'style']

/** The condition of a row in one text. */
export const conditionName = (row: Row): string =>
  CONDITION_KEYS.map((key) => row[key] ?? '')
    .filter((name) => name !== '')
    .join(' ')
