import { type Stream, streamFromKey } from '../../../src/core/index.ts'
import type { Pcfg } from '../../../src/formal/pcfg/index.ts'

/** A stream from a small number, for tests. */
export function testStream(seed: number): Stream {
  const key = new Uint8Array(16)
  new DataView(key.buffer).setUint32(0, seed)
  key[15] = 77
  return streamFromKey(key)
}

/** Every string of a finite grammar with its probability, by expanding all derivations: slow and obviously right. */
export function enumerate(grammar: Pcfg): Map<string, number> {
  const memo = new Map<number, Map<string, number>>()
  const ofSymbol = (symbol: number): Map<string, number> => {
    if (symbol < 0) return new Map([[String(-1 - symbol), 1]])
    let found = memo.get(symbol)
    if (found === undefined) {
      found = new Map()
      for (const rule of grammar.rules.filter((r) => r.left === symbol)) {
        let strings = new Map([['', rule.probability]])
        for (const part of rule.right) {
          const next = new Map<string, number>()
          for (const [a, p] of strings)
            for (const [b, q] of ofSymbol(part)) {
              const joined = a === '' ? b : `${a} ${b}`
              next.set(joined, (next.get(joined) ?? 0) + p * q)
            }
          strings = next
        }
        for (const [text, p] of strings) found.set(text, (found.get(text) ?? 0) + p)
      }
      memo.set(symbol, found)
    }
    return found
  }
  return ofSymbol(0)
}

export const numbers = (text: string): number[] => text.split(' ').map(Number)
