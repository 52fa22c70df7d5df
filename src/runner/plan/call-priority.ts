import { hash } from 'node:crypto'

/** 48 pseudo-random bits of a key: the same on every machine. */
export const keyedNumber = (...parts: readonly (string | number)[]): number =>
  Number.parseInt(hash('sha256', JSON.stringify(parts), 'hex').slice(0, 12), 16)

const BITS_24 = 2 ** 24

/**
 * When a cell's turn comes. Cells are shuffled by a key, so that a run stopped anywhere has seen a fair part; those of a
 * model that keeps its last context stay together by group, the groups shuffled, and in a group by the context that they share,
 * where it is known: sets come back to a context many times.
 */
export function turnOf(
  seed: string,
  cell: { readonly group: string; readonly ord: number; readonly rest: string; readonly context: string | null },
  byGroup: boolean,
): number {
  if (!byGroup) return keyedNumber('turn', seed, cell.ord, cell.rest)
  const within = cell.context === null ? cell.ord % BITS_24 : high(keyedNumber('context', cell.context))
  return high(keyedNumber('turn', seed, cell.group)) * BITS_24 + within
}

const high = (bits: number): number => Math.floor(bits / BITS_24)
