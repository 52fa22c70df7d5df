import { hash } from 'node:crypto'

/** 48 pseudo-random bits of a key: the same on every machine. */
export const hash48 = (...parts: readonly (string | number)[]): number =>
  Number.parseInt(hash('sha256', JSON.stringify(parts), 'hex').slice(0, 12), 16)

const BITS_24 = 2 ** 24

/**
 * Priority of a call. Calls are shuffled by a key, so that a run that is stopped anywhere has made a fair part of them. Those of
 * a model that reuses its last context stay together by group, the groups shuffled, and within a group by shared context if
 * that is known.
 */
export function callPriority(
  seed: string,
  call: { readonly group: string; readonly ord: number; readonly rest: string; readonly context: string | null },
  byGroup: boolean,
): number {
  if (!byGroup) return hash48('turn', seed, call.ord, call.rest)
  const within = call.context === null ? call.ord % BITS_24 : high(hash48('context', call.context))
  return high(hash48('turn', seed, call.group)) * BITS_24 + within
}

const high = (bits: number): number => Math.floor(bits / BITS_24)
