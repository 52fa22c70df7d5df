import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  call,
  choose,
  clear,
  defineFunction,
  downwards,
  i32,
  i64,
  leave,
  set,
  upwards,
  when,
} from '../../../src/libraries/grammars/wasm/assembler.ts'
import { compileKernel, workingMemory } from '../../../src/libraries/grammars/wasm/kernel.ts'

describe('assembled functions', () => {
  it('hold constants of any size, and reach any offset', () => {
    const values = [0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, -8193, 2 ** 31 - 1, -(2 ** 31)]
    const offsets = [0, 8, 120, 128, 16376, 16384, 65528]
    const { write } = compileKernel<'write'>([
      defineFunction('write', ['at'], {}, ({ at }) =>
        values.map((value, i) => offsets.map((offset) => i64.store(at, offset + 131072 * i, i64.const(value)))),
      ),
    ])
    const memory = new DataView(workingMemory(131072 * (values.length + 1)))
    write(8)
    for (const [i, value] of values.entries())
      for (const offset of offsets) expect(memory.getBigInt64(8 + offset + 131072 * i, true)).toBe(BigInt(value))
  })

  it('count up and down, and take no step where there is none to take', () => {
    const { sum } = compileKernel<'sum'>([
      defineFunction('sum', ['from', 'to'], { i: i32.type, steps: i64.type }, ({ from, to, i, steps }) => [
        upwards(i, from, to, set(steps, i64.or(i64.shl(steps, i64.const(1)), i64.const(1)))),
        i64.store(i32.const(0), 0, steps),
        set(steps, i64.const(0)),
        downwards(i, to, from, set(steps, i64.or(i64.shl(steps, i64.const(1)), i64.const(1)))),
        i64.store(i32.const(0), 8, steps),
      ]),
    ])
    const memory = new DataView(workingMemory(16))
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 20 }), fc.integer({ min: -5, max: 20 }), (from, to) => {
        sum(from, to)
        expect(memory.getBigUint64(0, true)).toBe(2n ** BigInt(Math.max(0, to - from)) - 1n)
        expect(memory.getBigUint64(8, true)).toBe(2n ** BigInt(Math.max(0, to - from + 1)) - 1n)
      }),
    )
  })

  it('are as large as a grammar makes them', () => {
    const { count } = compileKernel<'count'>([
      defineFunction('count', ['at'], { sum: i64.type }, ({ at, sum }) => [
        when(i32.eq(at, at), set(sum, i64.orAll(Array.from({ length: 20000 }, (_, i) => i64.const(i))))),
        i64.store(at, 0, sum),
      ]),
    ])
    count(0)
    expect(new DataView(workingMemory(8)).getBigInt64(0, true)).toBe(32767n)
  })

  it('have as many variables as they need, call one another, choose among cases and return a number', () => {
    const many: Record<string, number> = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`v${i}`, i64.type]))
    const { pick } = compileKernel<'pick'>([
      defineFunction('wipe', ['at'], {}, ({ at }) => clear(at, i32.const(16))),
      defineFunction(
        'pick',
        ['which'],
        many,
        (all) => {
          const { which, ...own } = all
          const variables = Object.values(own)
          return [
            call(0, i32.const(8)),
            when(i32.eq(which!, i32.const(200)), leave(i32.const(-1))),
            choose(
              which!,
              variables.map((variable, i) => set(variable, i64.const(2n ** 40n + BigInt(i)))),
            ),
            i32.wrapI64(i64.orAll(variables)),
          ]
        },
        true,
      ),
    ])
    const words = new Int32Array(workingMemory(32), 0, 8).fill(7)
    for (const which of [0, 1, 127, 128, 255, 299]) expect(pick(which)).toBe(which)
    expect(pick(200)).toBe(-1)
    expect([...words]).toEqual([7, 7, 0, 0, 0, 0, 7, 7])
  })
})

describe('working memory', () => {
  it('grows, and says so where it cannot', () => {
    expect(workingMemory(3_000_000).byteLength).toBeGreaterThanOrEqual(3_000_000)
    expect(() => workingMemory(2 ** 40)).toThrow(/does not fit: the string is too long for so large a grammar/)
  })
})
