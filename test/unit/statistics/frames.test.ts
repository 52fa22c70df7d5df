import { describe, expect, it } from 'vitest'
import { describeSettings } from '../../../src/libraries/statistics/frames/systems.ts'
import {
  allRows,
  bySystem,
  clusterCodes,
  correctness,
  inOrder,
  memoryFrame,
  partition,
  rowsByLevel,
  rowsWhere,
  scores,
  selectRows,
  stateCounts,
  systems,
  take,
} from '../../../src/libraries/statistics/index.ts'

const rows = (...list: readonly number[]) => Int32Array.from(list)

describe('frames in memory', () => {
  it('have numbers, truths as 1 and 0, and levels by their text', () => {
    const frame = memoryFrame({ n: [2, null, 0.5], yes: [true, false, null], mixed: ['a', null, 7] })
    expect([frame.length, memoryFrame({}).length]).toEqual([3, 0])
    expect([...frame.number('n')]).toEqual([2, Number.NaN, 0.5])
    expect([...frame.number('yes')]).toEqual([1, 0, Number.NaN])
    expect(frame.category('yes')).toEqual({ codes: rows(0, 1, -1), levels: ['1', '0'] })
    expect(frame.category('mixed')).toEqual({ codes: rows(0, -1, 1), levels: ['a', '7'] })
    expect(memoryFrame({ n: [3, Number.NaN, 3] }).category('n')).toEqual({ codes: rows(0, -1, 0), levels: ['3'] })
    expect(frame.number('n')).toBe(frame.number('n'))
    expect(frame.category('mixed')).toBe(frame.category('mixed'))
  })

  it('say what they lack', () => {
    const frame = memoryFrame({ a: ['x'] })
    expect([frame.has('a'), frame.has('b')]).toEqual([true, false])
    expect(() => frame.number('a')).toThrow('column "a" holds text, not numbers')
    expect(() => frame.category('b')).toThrow('the rows have no column "b"')
    expect(() => memoryFrame({ a: [1, 2], b: [1] })).toThrow('column b has 1 rows, others have 2')
  })
})

describe('some rows of a frame', () => {
  const frame = memoryFrame({ model: ['a', 'b', null, 'c', 'b'], score: [1, 2, 3, 4, 5] })

  it('have the levels that occur there, in order of appearance', () => {
    const some = selectRows(frame, rows(4, 2, 3, 1))
    expect([some.length, some.has('model'), some.has('x')]).toEqual([4, true, false])
    expect(some.category('model')).toEqual({ codes: rows(0, -1, 1, 0), levels: ['b', 'c'] })
    expect([...some.number('score')]).toEqual([5, 3, 4, 2])
    expect(some.number('score')).toBe(some.number('score'))
    expect(some.category('model')).toBe(some.category('model'))
  })

  it('are found by a test, by level and by several columns', () => {
    expect(allRows(frame)).toEqual(rows(0, 1, 2, 3, 4))
    expect(rowsWhere(rows(4, 1, 0), (row) => row !== 1)).toEqual(rows(4, 0))
    expect(take([5, 6, 7], [2, 0])).toEqual(Float64Array.of(7, 5))
    expect(rowsByLevel(rows(0, 1, 2, 3, 5), rows(1, 2, -1, 1, 9, 0), 2)).toEqual([rows(5), rows(0, 3)])
    const two = memoryFrame({ a: ['x', 'y', 'x', null, 'x'], b: [1, 1, 2, 1, 1] })
    expect(partition(two, ['a', 'b'], rows(4, 3, 2, 0))).toEqual([
      { key: { a: 'x', b: '1' }, rows: rows(4, 0) },
      { key: { a: 'x', b: '2' }, rows: rows(2) },
      { key: { a: null, b: '1' }, rows: rows(3) },
    ])
    expect(partition(two, [])).toEqual([{ key: {}, rows: allRows(two) }])
    expect(partition(two, ['a'], rows())).toEqual([])
  })

  it('come in reading order', () => {
    expect(inOrder(['10', null, '9', '-1', '1e1'])).toEqual(['-1', '9', '10', '1e1', null])
    expect(inOrder(['b', null, '10', '9', 'a', null])).toEqual(['10', '9', 'a', 'b', null, null])
    expect(inOrder(['1', ''])).toEqual(['', '1'])
  })
})

describe('who is compared', () => {
  it('is each model, and each of its settings where it was run with several', () => {
    const frame = memoryFrame({
      model: ['a', 'a', 'b', 'a', null, 'c', 'c'],
      settings: ['{"maxTokens":9}', '{}', '{"x":1}', '{"maxTokens":9}', '{}', null, '{"stop":"a"}'],
    })
    const found = systems(frame)
    expect(found.codes).toEqual(rows(0, 1, 2, 0, 3, 4, 5))
    expect(found.labels).toEqual(['a, max tokens 9', 'a, as it comes', 'b', 'unknown', 'c', 'c, stop a'])
    expect(bySystem(found, rows(3, 2, 0))).toEqual([
      { contestant: 'a, max tokens 9', rows: rows(3, 0) },
      { contestant: 'b', rows: rows(2) },
    ])
    expect(systems(memoryFrame({ model: ['a', 'b', 'a'] }))).toEqual({ codes: rows(0, 1, 0), labels: ['a', 'b'] })
  })

  it('has settings in words, where they are settings', () => {
    expect(describeSettings('{"topP":0.5,"stop":["x"],"mode":"slow"}')).toBe('top p 0.5, stop ["x"], mode slow')
    expect(describeSettings('{}')).toBe('as it comes')
    for (const other of ['[1]', 'null', '7', 'words']) expect(describeSettings(other)).toBe(other)
  })
})

describe('what became of rows', () => {
  const states = ['graded', 'unparsed', 'truncated', 'refused', 'error', 'loglikelihood', null, 'graded'] as const
  const frame = memoryFrame({ status: [...states], score: [0.5, null, null, null, null, null, 1, 1] })

  it('is counted by state', () => {
    expect(stateCounts(frame, allRows(frame))).toEqual({
      planned: 8,
      graded: 2,
      unparsed: 1,
      truncated: 1,
      refused: 1,
      failed: 1,
    })
    expect(stateCounts(frame, rows(7, 0, 6))).toMatchObject({ planned: 3, graded: 2, unparsed: 0, failed: 0 })
  })

  it('is a score, which is 0 where a model gave no answer, and none where nobody read it', () => {
    const gap = Number.NaN
    expect([...scores(frame)]).toEqual([0.5, 0, 0, 0, gap, gap, gap, 1])
    expect([...correctness(Float64Array.of(1, 0.999, 0, 1.5, gap))]).toEqual([1, 0, 0, 1, gap])
  })

  it('counts groups of several configs with one random draw together', () => {
    const columns = { item: ['i', 'j', 'k', 'l'], group: ['a0', 'b0', 'a1', 'b1'], draw: ['d0', 'd0', 'd1', 'd2'] }
    const codes = clusterCodes(memoryFrame(columns), rows(0, 1, 2, 3))
    expect([...codes].map((code) => codes.indexOf(code))).toEqual([0, 0, 2, 3])
  })

  it('counts together by group, by item where there is none, or but one', () => {
    const item = ['i', 'j', 'i', 'k', 'l']
    const same = (group: readonly (string | null)[] | null, ...of: readonly number[]) => {
      const codes = clusterCodes(memoryFrame({ item, ...(group === null ? {} : { group: [...group] }) }), rows(...of))
      return [...codes].map((code) => codes.indexOf(code))
    }
    expect(same(null, 0, 1, 2, 3)).toEqual([0, 1, 0, 3])
    expect(same(['g', 'g', 'h', 'h', null], 0, 1, 2, 3, 4)).toEqual([0, 0, 2, 2, 4])
    expect(same(['g', 'g', 'g', 'g', null], 0, 1, 2, 3, 4)).toEqual([0, 1, 0, 3, 4])
    // Of these rows all are of one group.
    expect(same(['g', 'g', 'g', 'h', null], 2, 1, 0)).toEqual([0, 1, 0])
    expect(same([null, 'g', null, null, 'h'], 0, 1, 2, 3, 4)).toEqual([0, 1, 0, 3, 4])
  })
})
