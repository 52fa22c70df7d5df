import { enc, sha256 } from './hash.ts'

/** A source of uniform 32-bit integers with 128 bits of state; helpers in `random.ts` are functions over it. */
export interface Stream {
  /** 0..2^32-1 */
  u32(): number
}

/** sfc32: passes PractRand and TestU01, every cycle at least 2^32 long. */
export class Sfc32 implements Stream {
  private a: number
  private b: number
  private c: number
  private counter: number

  constructor(a: number, b: number, c: number, counter: number) {
    this.a = a | 0
    this.b = b | 0
    this.c = c | 0
    this.counter = counter | 0
  }

  u32(): number {
    const t = (((this.a + this.b) | 0) + this.counter) | 0
    this.counter = (this.counter + 1) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = (((this.c << 21) | (this.c >>> 11)) + t) | 0
    return t >>> 0
  }
}

/**
 * A stream of one's own, outside items: a function of these labels and nothing else.
 *
 * @example
 * import { below, namedStream } from '@touchstone-eval/touchstone/task'
 *
 * console.log(below(namedStream('my study', 'seed 1'), 6)) // 0 to 5, the same on every machine
 */
export const namedStream = (...labels: readonly string[]): Stream =>
  streamFromKey(sha256(enc('touchstone/named/1', ...labels)))

/** The stream of a key: its first 16 bytes are the state, and 12 draws are thrown away. */
export function streamFromKey(key: Uint8Array): Stream {
  const word = (at: number) =>
    ((key[at] as number) << 24) |
    ((key[at + 1] as number) << 16) |
    ((key[at + 2] as number) << 8) |
    (key[at + 3] as number)
  const stream = new Sfc32(word(0), word(4), word(8), word(12))
  for (let i = 0; i < 12; i++) stream.u32()
  return stream
}
