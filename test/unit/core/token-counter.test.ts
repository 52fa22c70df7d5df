import { describe, expect, it } from 'vitest'
import { type Family, type TokenCounter, UsageError, withTokenCounters } from '../../../src/core/index.ts'

const counter = (name: string, version = '1', count: unknown = 7): TokenCounter => ({
  name,
  version,
  count: () => count as number,
})
const plain: Family = { name: 'plain', tasks: [], importers: [] }
let given: readonly TokenCounter[] = []
const counting: Family = {
  ...plain,
  name: 'counting',
  withTokenCounters(counters) {
    given = counters
    return { ...plain, name: 'counts' }
  },
}
const names = (families: readonly Family[]) => families.map(({ name }) => name)

describe('token counters', () => {
  it('go to the families that count tokens, and to no others', () => {
    const families = [plain, counting]
    expect(withTokenCounters(families, [])).toBe(families)
    const able = withTokenCounters(families, [counter('a'), counter('b', '2')])
    expect(able[0]).toBe(plain)
    expect(names(able)).toEqual(['plain', 'counts'])
    expect(given.map(({ name, version, count }) => [name, version, count('x')])).toEqual([
      ['a', '1', 7],
      ['b', '2', 7],
    ])
  })

  it.each([
    ['', '1'],
    ['Upper', '1'],
    ['-a', '1'],
    ['a b', '1'],
    ['a@b', '1'],
    ['a'.repeat(65), '1'],
    ['a', ''],
    ['a', '1 2'],
    ['a', '1'.repeat(65)],
  ])('are refused by the name %j of version %j', (name, version) => {
    expect(() => withTokenCounters([counting], [counter('fine'), counter(name, version)])).toThrow(
      new UsageError(
        `a token counter needs a name of lower-case letters, digits, dots and dashes and a version, got "${name}@${version}"`,
      ),
    )
  })

  it('are told apart by name and version', () => {
    const of = (...counters: readonly TokenCounter[]) => names(withTokenCounters([counting], counters))
    expect(of(counter('a.b-2', '1_0-x.Y'), counter(`${'a'.repeat(64)}`, '1'.repeat(64)))).toEqual(['counts'])
    expect(of(counter('a', '1'), counter('a', '2'), counter('b', '1'))).toEqual(['counts'])
    expect(() => of(counter('b'), counter('a'), counter('b'))).toThrow(
      new UsageError('two token counters are called b@1; give one another name'),
    )
  })

  it('give whole numbers from 0, or are at fault', () => {
    const counts = (count: unknown) => () => {
      withTokenCounters([counting], [counter('odd', '3', count)])
      return given[0]?.count('four')
    }
    expect([counts(0)(), counts(12)()]).toEqual([0, 12])
    for (const count of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '3', null])
      expect(counts(count)).toThrow(
        new UsageError(`the token counter odd@3 gave ${count} for 4 characters; it must give a whole number from 0`),
      )
  })
})
