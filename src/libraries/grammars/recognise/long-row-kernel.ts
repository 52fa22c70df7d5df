import type { RecognitionTables } from './recognition-tables.ts'
import { CROWDED, type LightKernel } from './row-kernel.ts'

/**
 * The row propagation of `compileRowKernel` for strings of any length: an end mask takes ceil(n / 32) words, and rows
 * get storage from a pool when their first item appears, so that memory follows the items, not nonterminals x n^2. Given
 * up after `patience` combinations a token and symbol.
 */
export function compileLongRowKernel(tables: RecognitionTables, patience = CROWDED): LightKernel {
  const { nonterminals: N, terminals: T, setWords, lexFrom, lex } = tables
  const { follow, precede } = tables.adjacency
  const { filterFollow, filterPrecede } = tables
  const W = T + 1

  return (tokens, n) => {
    const words = (n + 31) >>> 5
    const rowOf = new Int32Array(n * N).fill(-1)
    let pool = new Int32Array(words * 1024)
    let used = 0
    const rowAt = (cell: number): number => {
      const found = rowOf[cell] as number
      if (found >= 0) return found
      if (used + words > pool.length) {
        const wider = new Int32Array(pool.length * 2)
        wider.set(pool)
        pool = wider
      }
      rowOf[cell] = used
      used += words
      return used - words
    }
    const items: number[][] = Array.from({ length: n }, () => [])
    let spare = patience * N * n

    for (let i = n - 1; i >= 0; i--) {
      const base = i * N
      const before = i === 0 ? T : (tokens[i - 1] as number)
      const { partners, from, left } = i === 0 ? tables.outer : tables.inner
      const add = (a: number, e: number): boolean => {
        if (filterFollow && follow[a * W + (e + 1 === n ? T : (tokens[e + 1] as number))] === 0) return false
        if (filterPrecede && precede[a * W + before] === 0) return false
        const word = rowAt(base + a) + (e >>> 5)
        pool[word] = (pool[word] as number) | (1 << (e & 31))
        ;(items[e] as number[]).push(a)
        return true
      }
      const token = tokens[i] as number
      for (let at = lexFrom[token] as number; at < (lexFrom[token + 1] as number); at++) add(lex[at] as number, i)
      for (let bit = i; bit < n - 1; bit++) {
        const ending = items[bit] as number[]
        if (ending.length === 0) continue
        spare -= ending.length
        if (spare < 0) return null
        const nextRow = (bit + 1) * N
        for (const b of ending) {
          for (let set = 0; set < setWords; set++)
            for (let rest = partners[b * setWords + set] as number; rest !== 0; rest &= rest - 1) {
              const c = (set << 5) + 31 - Math.clz32(rest & -rest)
              const source = rowOf[nextRow + c] as number
              if (source < 0) continue
              const to = from[b * N + c + 1] as number
              for (let rule = from[b * N + c] as number; rule < to; rule++) {
                const a = left[rule] as number
                for (let word = (bit + 1) >>> 5; word < words; word++) {
                  const target = rowOf[base + a] as number
                  const have = target < 0 ? 0 : (pool[target + word] as number)
                  for (let fresh = (pool[source + word] as number) & ~have; fresh !== 0; fresh &= fresh - 1)
                    add(a, (word << 5) + 31 - Math.clz32(fresh & -fresh))
                }
              }
            }
        }
        ending.length = 0
      }
      ;(items[n - 1] as number[]).length = 0
    }
    const row = rowOf[0] as number
    return row >= 0 && ((pool[row + ((n - 1) >>> 5)] as number) & (1 << ((n - 1) & 31))) !== 0
  }
}
