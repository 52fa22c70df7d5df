import { describe, expect, it } from 'vitest'
import { design, linear, logistic, pairwise, type Variable } from '../../../src/libraries/statistics/index.ts'

const x: Variable = { kind: 'numeric', values: [0, 1, 2, 3, 4, 5] }
const kind: Variable = { kind: 'nominal', codes: [0, 2, 0, 2, 2, 0], levels: ['a', 'b', 'c'] }

describe('a design', () => {
  it('has a column for each level but the first that occurs, or the one that is named', () => {
    const found = design({ kind, x }, [['kind'], ['x'], ['x', 'kind']])
    expect(found.names).toEqual(['Intercept', 'kind=c', 'x', 'x:kind=c'])
    expect(found.columns.map((column) => [...column])).toEqual([
      [1, 1, 1, 1, 1, 1],
      [0, 1, 0, 1, 1, 0],
      [0, 1, 2, 3, 4, 5],
      [0, 1, 0, 3, 4, 0],
    ])
    expect(found.terms).toEqual([
      { name: 'kind', from: 1, to: 2 },
      { name: 'x', from: 2, to: 3 },
      { name: 'x:kind', from: 3, to: 4 },
    ])
    expect(design({ kind: { ...kind, base: 'c' } }, [['kind']]).names).toEqual(['Intercept', 'kind=a'])
    expect(pairwise(['a', 'b', 'c'])).toEqual([['a'], ['b'], ['c'], ['a', 'b'], ['a', 'c'], ['b', 'c']])
  })

  it.each([
    [{ x }, [['y']], 'no variable y; there are x'],
    [{ x }, [['x'], ['x']], 'term x is given twice'],
    [{ x, z: x }, [['x'], ['z'], ['x', 'z'], ['z', 'x']], 'term z:x is given twice'],
    [{ x }, [[]], 'a term names at least one variable; the intercept is always there'],
    [{ x }, [['x', 'x']], 'term x:x names a variable twice'],
    [{ x, z: x }, [['x'], ['x', 'z']], 'interaction x:z needs the term z as well'],
    [{ x, z: { kind: 'numeric', values: [1] } }, [['x']], 'z has 1 rows, others have 6'],
    [{}, [], 'a design needs at least one variable'],
    [{ x: { kind: 'numeric', values: [1, Number.NaN] } }, [['x']], 'x is not a finite number in row 1: NaN'],
    [{ x: { ...kind, codes: [0, 3] } }, [['x']], 'x has no level in row 1 (code 3)'],
    [{ x: { ...kind, base: 'b' } }, [['x']], 'x never takes the base level b; it takes a, c'],
  ] as const)('%o with terms %j is refused', (variables, terms, message) => {
    expect(() => design(variables as { readonly [name: string]: Variable }, terms)).toThrow(new RangeError(message))
  })
})

describe('a regression', () => {
  const line = design({ x }, [['x']])
  it('needs an outcome a row, in its range, and more rows than coefficients', () => {
    for (const regression of [linear, logistic])
      expect(() => regression(line, [1, 0])).toThrow('a regression needs one outcome a row, got 2 for 6 rows')
    for (const value of [-0.1, 1.1, Number.NaN])
      expect(() => logistic(line, [0, 1, 0, 1, 0, value])).toThrow(`outcome 5 must lie in 0..1, got ${value}`)
    expect(() => logistic(line, [0, 1, 0, 1, 0, 1], { trials: [1, 1, 0, 1, 1, 1] })).toThrow(
      'row 2 must stand for at least one trial, got 0',
    )
    const short = design({ x: { kind: 'numeric', values: [0, 1] } }, [['x']])
    const few = { kind: 'unfit', code: 'too-few', message: '2 rows cannot determine 2 coefficients' }
    expect([linear(short, [0, 1]), logistic(short, [0, 1])]).toEqual([few, few])
  })

  it('has as many degrees of freedom as rows over its coefficients', () => {
    const y = [0, 1, 0, 1, 1, 0]
    expect(linear(line, y)).toMatchObject({ n: 6, residualDf: 4 })
    expect(logistic(line, y)).toMatchObject({ n: 6, residualDf: 4 })
    expect(logistic(line, y, { trials: [2, 2, 2, 2, 2, 2] })).toMatchObject({ n: 12, residualDf: 10 })
  })

  it('of an outcome that never varies has nothing to explain', () => {
    for (const [fitted, values] of [
      [linear, [0, 0.1, 100]],
      [logistic, [0, 1]],
    ] as const)
      for (const value of values)
        expect(fitted(line, new Array<number>(6).fill(value))).toEqual({
          kind: 'unfit',
          code: 'separated',
          message: `every outcome is ${value}: there is nothing to explain`,
        })
  })

  it('of an outcome that a variable parts says which', () => {
    const told = (values: readonly number[], y: readonly number[]) =>
      logistic(design({ x: { kind: 'numeric', values } }, [['x']]), y)
    const separated = (names: string) => ({
      kind: 'unfit',
      code: 'separated',
      message: `the outcome is separated by ${names}: no finite estimate exists; drop the term or merge levels`,
    })
    // A group that is always right, and one that is always wrong.
    expect(told([0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 1, 1])).toEqual(separated('x'))
    expect(told([0, 0, 0, 1, 1, 1], [0, 1, 0, 0, 0, 0])).toEqual(separated('x'))
    expect(told([0, 0, 0, 1, 1, 1], [0, 1, 0, 0, 1, 0])).toMatchObject({ kind: 'logistic' })
    // Only all levels beyond three are right.
    expect(told([1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1])).toEqual(separated('x'))
  })
})
