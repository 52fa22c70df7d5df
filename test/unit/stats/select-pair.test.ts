import { describe, expect, it } from 'vitest'
import { memoryFrame, selectPairs } from '../../../src/stats/index.ts'

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
    state: rows.map(({ i, read }) => (i < read ? 'graded' : 'unparsed')),
    value: rows.map(({ i, right, read }) => (i < right && i < read ? 1 : 0)),
    outputTokens: rows.map(({ tokens }) => tokens),
    usd: rows.map(() => 0),
  })
}
const orderOf = (tables: { readonly [parser: string]: Parameters<typeof frameOf>[0] }, styles: readonly string[]) => {
  const frames = new Map(Object.entries(tables).map(([parser, table]) => [parser, frameOf(table)]))
  const [chosen] = selectPairs((parser) => frames.get(parser) ?? null, { styles, parsers: Object.keys(tables) })
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
