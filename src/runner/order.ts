import { hash } from 'node:crypto'

/** 48 pseudo-random bits of a key: the same on every machine. */
export const keyedNumber = (...parts: readonly (string | number)[]): number =>
  Number.parseInt(hash('sha256', JSON.stringify(parts), 'hex').slice(0, 12), 16)

const BITS_24 = 2 ** 24

/**
 * When a cell's turn comes. Cells are shuffled by a key, so that a run stopped anywhere has seen a fair part; those of a
 * model that keeps its last context stay together by group, the groups shuffled.
 */
export function turnOf(
  seed: string,
  cell: { readonly group: string; readonly ord: number; readonly rest: string },
  byContext: boolean,
): number {
  if (!byContext) return keyedNumber('turn', seed, cell.ord, cell.rest)
  return Math.floor(keyedNumber('turn', seed, cell.group) / BITS_24) * BITS_24 + (cell.ord % BITS_24)
}
