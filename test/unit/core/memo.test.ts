import { describe, expect, it } from 'vitest'
import { LruCache } from '../../../src/core/index.ts'

describe('what is forgotten first', () => {
  it('is what was used longest ago', () => {
    const kept = new LruCache<string>(2)
    const made: number[] = []
    const ask = (key: number): string =>
      kept.get(key, () => {
        made.push(key)
        return `v${key}`
      })
    for (const key of [1, 2, 1, 3, 1, 2]) expect(ask(key)).toBe(`v${key}`)
    expect(made).toEqual([1, 2, 3, 2])
  })

  it('goes until the rest weighs no more than it may', () => {
    const kept = new LruCache<string, string>(10, (value) => value.length)
    const made: string[] = []
    const ask = (key: string, value: string): string =>
      kept.get(key, () => {
        made.push(key)
        return value
      })
    ask('a', '1234')
    ask('b', '1234')
    ask('c', '123456')
    expect(made).toEqual(['a', 'b', 'c'])
    ask('b', '1234')
    ask('c', '123456')
    expect(made).toEqual(['a', 'b', 'c'])
    ask('a', '1234')
    expect(made).toEqual(['a', 'b', 'c', 'a'])
  })

  it('is at once what weighs more than everything may, and given all the same', () => {
    const kept = new LruCache<string, string>(3, (value) => value.length)
    expect(kept.get('a', () => '1234')).toBe('1234')
    expect(kept.get('a', () => '12')).toBe('12')
    expect(kept.get('a', () => 'another')).toBe('12')
  })
})
