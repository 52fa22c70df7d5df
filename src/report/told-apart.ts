import type { Table } from '../core/index.ts'

type Row = Table['rows'][number]

/** Two are told apart below this, corrected over all pairs of their table. */
export const ALPHA = 0.05

/** Are the two of a row told apart? */
export const isToldApart = ({ holm }: Row): boolean => typeof holm === 'number' && holm < ALPHA

/** What names a set of items. */
export const SET_KEYS: readonly string[] = ['task', 'config', 'style']

/** The set of items of a row, in words. */
export const setOf = (row: Row): string =>
  SET_KEYS.map((key) => row[key] ?? '')
    .filter((name) => name !== '')
    .join(' ')
