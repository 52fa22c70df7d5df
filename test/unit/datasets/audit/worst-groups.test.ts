import { expect, it } from 'vitest'
import { type AnonymizedQuestion, below, namedStream } from '../../../../src/core/index.ts'
import type { LocalItem, LocalRows } from '../../../../src/datasets/audit/locality/rows.ts'
import { worstGroups } from '../../../../src/datasets/audit/locality/worst-groups.ts'
import { normalQuantile } from '../../../../src/libraries/statistics/index.ts'

interface Row {
  readonly group: number
  readonly key: number
  readonly x: number
  readonly tokens?: readonly number[]
}

const stated: AnonymizedQuestion = { kind: 'statements', statements: [], question: 'q', asked: [] }

function asked(rows: readonly Row[]) {
  const local: LocalRows = {
    name: '2 choices',
    items: rows.map(({ group, tokens }, index): LocalItem => {
      const structure: AnonymizedQuestion = tokens === undefined ? stated : { kind: 'string', tokens }
      const subject = {
        index,
        group,
        cluster: `${group}`,
        answerBlock: null,
        text: '',
        features: {},
        answer: { kind: 'class', labels: ['no', 'yes'], key: 0 },
        guesses: {},
        anonymized: structure,
        twin: null,
        names: new Set<string>(),
      } as const
      return { subject, anonymized: structure, choices: { choices: [], accepted: [] }, radius: 1 }
    }),
    classes: 2,
    keys: Int32Array.from(rows, ({ key }) => key),
    blockLabels: rows.map(({ group }) => `${group}`),
    clusters: rows.map(({ group }) => `${group}`),
    sets: rows.map((_, i) => `${i}`),
  }
  return worstGroups(local, [{ probe: 'x', values: Float64Array.from(rows, ({ x }) => x) }], 'worst')
}

const stream = namedStream('test/audit/worst-groups')
/** A group of items, half of each answer, in any order. */
const group = (number: number, size: number, row: (key: number) => Omit<Row, 'group' | 'key'>): Row[] => {
  const rows = Array.from({ length: size }, (_, i) => ({ group: number, key: i % 2, ...row(i % 2) }))
  return rows.sort(() => below(stream, 3) - 1)
}
const told = (number: number, size = 24) => group(number, size, (key) => ({ x: key }))
const untold = (number: number, size = 24) => group(number, size, () => ({ x: below(stream, 4) }))

/** P(X >= k) for X binomial, summed from its definition. */
function tail(n: number, k: number): number {
  let sum = 0
  for (let i = n; i >= k; i--) {
    let term = 0.01 ** i * 0.99 ** (n - i)
    for (let j = 0; j < i; j++) term *= (n - j) / (i - j)
    sum += term
  }
  return sum
}

it.each([0, 1, 3, 12])(
  'of thirty groups, %i of them told by a table, so many are above the line, as by chance or not',
  (count) => {
    const rows = Array.from({ length: 30 }, (_, g) => (g < count ? told(g) : untold(g))).flat()
    const found = asked(rows)
    if (found === null) throw new Error('these groups are large enough')
    const { worst, test } = found
    const { above } = worst
    expect(worst.groups).toBe(30)
    expect(above).toBeGreaterThanOrEqual(count)
    expect(above).toBeLessThanOrEqual(count + 2)
    expect(worst.ten).toHaveLength(10)
    expect(worst.ten.map(({ p }) => p)).toEqual(worst.ten.map(({ p }) => p).toSorted((a, b) => a - b))
    for (const one of worst.ten.slice(0, Math.min(count, 10))) {
      // None of 199 permutations does as well.
      expect(one).toEqual({ group: one.group, items: 24, accuracy: 1, table: 'x', p: 1 / 200 })
      expect(one.group).toBeLessThan(count)
    }
    const p = tail(30, above)
    const half = 2.5758293035489 * Math.sqrt(0.0099 / 30)
    expect(test.p / p).toBeCloseTo(1, 6)
    expect(test).toMatchObject({ probe: 'worst', kind: 'groups', n: 30, accuracy: above / 30, chance: 0.01 })
    expect(test.gain).toBeCloseTo(above / 30 - 0.01, 12)
    expect(test.ci[0]).toBeCloseTo(above / 30 - 0.01 - half, 10)
    expect(test.ci[1]).toBeCloseTo(above / 30 - 0.01 + half, 10)
    expect(test.z).toBeCloseTo(normalQuantile(Math.max(1e-300, Math.min(1 - 1e-12, 1 - test.p))), 6)
  },
)

it('only groups of 24 items or more with more than one answer count', () => {
  const same = group(2, 40, () => ({ x: 1 })).map((row) => ({ ...row, key: 1 }))
  expect(asked([...told(0, 23), ...same])).toBeNull()
  expect(asked([...told(0, 23), ...told(1, 24), ...same])?.worst.groups).toBe(1)
})

it('of more than 400 groups so many are tried, evenly spaced', () => {
  const rows = Array.from({ length: 401 }, (_, g) => untold(g)).flat()
  expect(asked(rows)?.worst.groups).toBe(201)
  expect(asked(rows.filter((row) => row.group < 400))?.worst.groups).toBe(400)
})

it('what no table tells has the accuracy of guesses, shared where counts tie', () => {
  const flat = asked(group(0, 24, () => ({ x: 7 })))
  // One cell: each half guesses what is more frequent in the other, or shares a tie.
  expect(flat?.worst.ten[0]?.accuracy).toBeLessThanOrEqual(0.5)
  expect(flat?.worst.ten[0]?.p).toBeGreaterThan(0.2)
})

it.each([
  ['first token', 0],
  ['second token', 1],
  ['last but one', 3],
  ['last token', 4],
])('strings have a table of their %s', (name, at) => {
  const rows = group(0, 40, (key) => {
    const tokens = Array.from({ length: 5 }, () => below(stream, 3))
    tokens[at] = key
    return { x: below(stream, 4), tokens }
  })
  expect(asked(rows)?.worst.ten[0]).toMatchObject({ table: name, accuracy: 1, p: 1 / 200 })
})
