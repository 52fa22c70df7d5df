import { below } from './random.ts'
import type { Stream } from './streams.ts'

/** A keyed permutation of 0..size-1 with random access in both directions. */
export interface Permutation {
  readonly size: number
  at(x: number): number
  indexOf(y: number): number
}

/**
 * Swap-or-not shuffle (Hoang, Morris, Rogaway 2012): any size up to 2^53, no cycle walking; the inverse runs the rounds backwards.
 */
export function swapOrNot(stream: Stream, size: number): Permutation {
  let bits = 0
  for (let n = size; n > 0; n = Math.floor(n / 2)) bits++
  const rounds = 6 * bits + 24
  const keys: number[] = []
  const salts: number[] = []
  for (let i = 0; i < rounds; i++) {
    keys.push(below(stream, size))
    salts.push(stream.u32())
  }
  const step = (x: number, round: number): number => {
    const offset = (keys[round] as number) - x
    const partner = offset < 0 ? offset + size : offset
    return mixedBit(Math.max(x, partner), salts[round] as number) ? partner : x
  }
  const check = (x: number): void => {
    if (!Number.isSafeInteger(x) || x < 0 || x >= size) throw new RangeError(`expected 0..${size - 1}, got ${x}`)
  }
  return {
    size,
    at(x) {
      check(x)
      for (let round = 0; round < rounds; round++) x = step(x, round)
      return x
    },
    indexOf(y) {
      check(y)
      for (let round = rounds - 1; round >= 0; round--) y = step(y, round)
      return y
    },
  }
}

function mixedBit(value: number, salt: number): boolean {
  let h = ((value % 4294967296) | 0) ^ salt
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b) ^ (Math.floor(value / 4294967296) | 0)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 16), 0x27d4eb2f)
  return (h ^ (h >>> 15)) < 0
}
