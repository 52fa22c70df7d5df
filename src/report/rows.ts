import type { Table } from '../core/index.ts'

export type Row = Table['rows'][number]

export const text = (row: Row, key: string): string => String(row[key] ?? '')
/** 0 where there is none. */
export const number = (row: Row, key: string): number => (typeof row[key] === 'number' ? row[key] : 0)
export const total = (rows: readonly Row[], key: string): number => rows.reduce((sum, row) => sum + number(row, key), 0)

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
