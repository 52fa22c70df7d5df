import { describe, expect, it } from 'vitest'
import { memoryFrame, selectStyleAndParser } from '../../../src/libraries/statistics/index.ts'

interface Pair {
  readonly right: number
  readonly read: number
  readonly tokens: number
}

/** Ten cells a style: `right` of them right, `read` of them read. */
const frameOf = (styles: { readonly [style: string]: Pair }) => {
  const rows = Object.entries(styles).flatMap(([style, pair]) =>
    Array.from({ length: 10 }, (_, i) => ({ ...pair, style, i })),
  )
  return memoryFrame({
    item: rows.map(({ i }) => `t/${i}`),
    model: rows.map(() => 'm'),
    style: rows.map(({ style }) => style),
    status: rows.map(({ i, read }) => (i < read ? 'graded' : 'unparsed')),
    score: rows.map(({ i, right, read }) => (i < right && i < read ? 1 : 0)),
    output_tokens: rows.map(({ tokens }) => tokens),
    usd: rows.map(() => 0),
  })
}
const orderOf = (tables: { readonly [parser: string]: Parameters<typeof frameOf>[0] }, styles: readonly string[]) => {
  const frames = new Map(Object.entries(tables).map(([parser, table]) => [parser, frameOf(table)]))
  const [chosen] = selectStyleAndParser((parser) => frames.get(parser) ?? null, {
    styles,
    parsers: Object.keys(tables),
  })
  return chosen?.tried.map(({ style, parser }) => `${style} ${parser}`)
}

// In every case all later rules, and the names, speak for the other pair.
describe('ties between pairs of style and parser', () => {
  it('accuracy goes before everything', () => {
    const a = { right: 6, read: 6, tokens: 90 }
    const b = { right: 5, read: 10, tokens: 1 }
    expect(orderOf({ strict: { a, b } }, ['b', 'a'])).toEqual(['a strict', 'b strict'])
  })

  it('then more answers read go before fewer tokens', () => {
    const a = { right: 5, read: 9, tokens: 90 }
    const b = { right: 5, read: 8, tokens: 1 }
    expect(orderOf({ strict: { a, b } }, ['b', 'a'])).toEqual(['a strict', 'b strict'])
  })

  it('then fewer tokens before the earlier style', () => {
    const a = { right: 5, read: 8, tokens: 1 }
    const b = { right: 5, read: 8, tokens: 2 }
    expect(orderOf({ strict: { a, b } }, ['b', 'a'])).toEqual(['a strict', 'b strict'])
  })

  it('then the earlier style before the earlier parser', () => {
    const same = { right: 5, read: 8, tokens: 2 }
    expect(orderOf({ strict: { a: same, b: same }, lenient: { a: same, b: same } }, ['b', 'a'])).toEqual([
      'b strict',
      'b lenient',
      'a strict',
      'a lenient',
    ])
  })
})

it('pairs have their accuracy, what was read, tokens and cost; trying costs each style once', () => {
  const frame = (usd: readonly (number | null)[] | null) =>
    memoryFrame({
      item: ['1', '2', '3', '1', '2', '3'],
      model: ['m', 'm', 'm', 'm', 'm', 'm'],
      style: ['a', 'a', 'a', 'b', 'b', 'b'],
      status: ['graded', 'unparsed', 'error', 'graded', 'graded', 'graded'],
      score: [1, null, null, 1, 0, 0],
      output_tokens: [10, null, 7, null, null, null],
      ...(usd === null ? {} : { usd: [...usd] }),
    })
  const chosen = (usd: readonly (number | null)[] | null) =>
    selectStyleAndParser((parser) => (parser === 'absent' ? null : frame(usd)), {
      styles: ['a', 'b'],
      parsers: ['strict', 'absent', 'lenient'],
    })[0]
  const found = chosen([1, 2, 4, 8, 16, 32])
  expect(found?.best).toMatchObject({ style: 'a', parser: 'strict', read: 0.5, outputTokens: 10, usd: 3 })
  expect(found?.best.accuracy.value).toBe(0.5)
  expect(found?.tried.map(({ style, parser, usd }) => [style, parser, usd])).toEqual([
    ['a', 'strict', 3],
    ['a', 'lenient', 3],
    ['b', 'strict', 56],
    ['b', 'lenient', 56],
  ])
  expect(found?.tied.map(({ parser }) => parser)).toEqual(['lenient'])
  expect(found?.tried[2]?.outputTokens).toBeNull()
  expect(found?.usd).toBe(59)
  expect([chosen([1, null, 4, 8, 16, 32])?.usd, chosen(null)?.usd]).toEqual([null, null])
})
