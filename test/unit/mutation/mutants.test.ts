import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { compileIn } from '../../../scripts/mutation/compile.ts'
import { EQUIVALENT } from '../../../scripts/mutation/equivalent.ts'
import { mutantsOf, sampleOf } from '../../../scripts/mutation/mutants.ts'
import { sources } from '../../../scripts/mutation/sources.ts'

/** What a program of one expression or function `f` says without a mutant and with each of them. */
function outcomes(text: string) {
  const mutants = mutantsOf('a.ts', text)
  const compiled = compileIn(
    text,
    mutants.map((mutant, id) => ({ id, mutant })),
  )
  const body = stripTypeScriptTypes(compiled.replace('globalThis.$mutant', '$on'))
  const run = (on: number): unknown => {
    try {
      return runInNewContext(`${body}; f()`, { $on: (id: number) => id === on })
    } catch (error) {
      return String(error)
    }
  }
  return { original: () => run(-1), mutated: () => mutants.map(({ change }, id) => [change, run(id)] as const) }
}

describe('mutants', () => {
  it.each([
    ['const f = () => 1 + 2 * 3', 7],
    ['const f = () => [3, 1, 2].map((x) => (x as number) - 1).filter((x) => x >= 1 && x !== 9)', [2, 1]],
    ['function f() {\n  let n = 0\n  for (let i = 0; i < 3; i++) n += i\n  return n\n}', 3],
    [
      'function f() {\n  const seen = [0]\n  seen[0]!++\n  --(seen[0] as number)\n  seen.push(5)\n  return seen.join()\n}',
      '0,5',
    ],
    ['const f = () => (true ? Math.min(4, 2 & 3) : { 7: 1 }[7])', 2],
    ['function f() {\n  const t: 1 | 2 = 1\n  if (t < 2) throw new Error("x")\n  return t\n}', 'Error: x'],
    ['function f() {\n  let n = 5\n  const m = n\n  n--\n  n < m ? n++ : n--\n  n += m\n  return n\n}', 10],
    ['function f() {\n  let n = 5\n  if (n > 4) n++\n  else n -= 2\n  return n\n}', 6],
    ['function f() {\n  if (false) return 1\n  else if (1 > 0) return 2\n  return 3\n}', 2],
  ])('leave %j as it was until they are switched on', (text, said) => {
    expect(outcomes(text).original()).toEqual(said)
  })

  it('are an operator, a number, a truth, a bound, a condition or a statement other than written', () => {
    expect(Object.fromEntries(outcomes('const f = () => 6 - 2').mutated())).toEqual({
      '- -> +': 8,
      '2 -> 1': 5,
      '2 -> 3': 3,
      '6 -> 5': 3,
      '6 -> 7': 5,
    })
    const text =
      'function f() {\n  const n: number[] = []\n  n.push(4)\n  return n.length === 1 ? true : Math.max(5, 8)\n}'
    expect(Object.fromEntries(outcomes(text).mutated())).toEqual({
      '1 -> 0': 8,
      '1 -> 2': 8,
      '4 -> 3': true,
      '4 -> 5': true,
      '5 -> 4': true,
      '5 -> 6': true,
      '8 -> 7': true,
      '8 -> 9': true,
      '=== -> !==': 8,
      'Math.max -> Math.min': true,
      'n.length === 1 -> not': 8,
      'n.push(4) -> nothing': 8,
      'true -> false': false,
    })
  })

  it('stand at the beginning of a statement, whatever the line before ends with', () => {
    const text = 'function f() {\n  let n = 5\n  const m = n\n  n += m\n  n < m ? n-- : n++\n  return n\n}'
    expect(Object.fromEntries(outcomes(text).mutated())).toEqual({
      '5 -> 4': 9,
      '5 -> 6': 13,
      '+= -> -=': -1,
      'n += m -> nothing': 6,
      '< -> <=': 11,
      'n < m -> not': 9,
      '-- -> ++': 11,
      '++ -> --': 9,
      'n < m ? n-- : n++ -> nothing': 10,
    })
  })

  it('take an operator with what stands on its sides', () => {
    const ands = outcomes('const [a, b, c] = [true, true, false].map(Boolean)\nconst f = () => a || (b && c)')
    expect(ands.mutated().find(([change]) => change === '|| -> &&')?.[1]).toBe(false)
    expect(outcomes('const f = () => 2 * (1 + 1) + 0').mutated()).toContainEqual(['* -> /', 1])
  })

  it('are none of types, of names of properties, of texts', () => {
    const text = "const f = (x: 1 | { 2: 3 }) => ({ 4: 'a' + 'b' })"
    expect(mutantsOf('a.ts', text)).toEqual([])
  })

  it('of whole files can all be compiled in at once', () => {
    const root = join(import.meta.dirname, '../../..')
    const files = sources(root).flatMap((room) => room.files.filter((_, i) => i % 9 === 0))
    expect(files.length).toBeGreaterThan(20)
    for (const file of files) {
      const text = readFileSync(join(root, file), 'utf8')
      const mutants = mutantsOf(file, text)
      const compiled = compileIn(
        text,
        mutants.map((mutant, id) => ({ id, mutant })),
      )
      expect(() => stripTypeScriptTypes(compiled), file).not.toThrow()
    }
  })

  it('that are named as equivalent are there', () => {
    const root = join(import.meta.dirname, '../../..')
    for (const { file, line, change } of EQUIVALENT) {
      const text = readFileSync(join(root, file), 'utf8')
      const lines = text.split('\n')
      const there = mutantsOf(file, text).filter((one) => one.change === change && lines[one.line - 1]?.includes(line))
      expect(there.length, `${file}: ${change} in ${line}`).toBeGreaterThan(0)
    }
  })

  it('are drawn by the seed, and the first of many are the few', () => {
    const all = mutantsOf('a.ts', 'const f = () => [1, 2, 3, 4, 5, 6, 7, 8, 9]')
    expect(sampleOf(all, 5, '1')).toEqual(sampleOf(all, 5, '1'))
    expect(sampleOf(all, 9, '1').slice(0, 5)).toEqual(sampleOf(all, 5, '1'))
    expect(sampleOf(all, 9, '2')).not.toEqual(sampleOf(all, 9, '1'))
    expect(sampleOf(all, 100, '1')).toHaveLength(18)
  })
})
