import { describe, expect, it } from 'vitest'
import { below, coin, float, Sfc32, type Stream, sampleIndices } from '../../../../src/core/index.ts'
import { decide } from '../../../../src/datasets/audit/decide.ts'
import { promptColumns } from '../../../../src/datasets/audit/facts.ts'
import { allDecide, Results } from '../../../../src/datasets/audit/measure.ts'
import { testFact } from '../../../../src/datasets/audit/nominal.ts'
import { recordParts, recordProbes } from '../../../../src/datasets/audit/records.ts'
import { blocksOf } from '../../../../src/datasets/audit/statistic.ts'
import type { Subject } from '../../../../src/datasets/audit/subject.ts'

const names = 'Ada Bob Cleo Dora Emil Fay Gus Hanna Ida Jon Karl Lea Mona Ned Olga Paul Quin Rosa Sven Tilda'.split(' ')

interface Told {
  readonly lines: readonly (readonly [string, string])[]
  readonly asked: readonly [string, string]
}
function told(stream: Stream): Told {
  const six = sampleIndices(stream, names.length, 6).map((i) => names[i] as string)
  const lines = six.slice(1).map((name, i): [string, string] => {
    const other = six[below(stream, i + 1)] as string
    return coin(stream) ? [name, other] : [other, name]
  })
  const [a, b] = sampleIndices(stream, 6, 2) as [number, number]
  return { lines, asked: [six[a] as string, six[b] as string] }
}

/** A set whose answer follows a rule in three of four items. */
function subjects(n: number, seed: number, rule?: (told: Told) => boolean): Subject[] {
  const stream = new Sfc32(seed, 9, 9, 9)
  return Array.from({ length: n }, (_, index) => {
    const key = index % 2
    const wanted = float(stream) < 0.75 ? key === 1 : key === 0
    let one = told(stream)
    while (rule !== undefined && rule(one) !== wanted) one = told(stream)
    const text = `${one.lines.map(([x, y]) => `${x} is older than ${y}.`).join('\n')}\nIs ${one.asked[0]} older than ${one.asked[1]}?`
    return {
      index,
      group: index,
      cluster: `${index}`,
      answerBlock: null,
      text,
      features: {},
      guesses: {},
      names: new Set(one.lines.flat()),
      answer: { kind: 'class', labels: ['no', 'yes'], key },
      anonymized: null,
      twin: null,
    }
  })
}

function found(list: readonly Subject[]): string[] {
  const keys = Int32Array.from(list, ({ answer }) => (answer.kind === 'class' ? answer.key : 0))
  const blocks = blocksOf(list.map(() => 0))
  const results = new Results(allDecide)
  for (const fact of promptColumns(list).facts) results.add(fact.probe, () => testFact(fact, keys, 2, blocks))
  return decide(results.measured, { alpha: 0.01, stream: () => new Sfc32(1, 1, 1, 1) })
    .filter(({ status }) => status === 'fail')
    .map(({ probe }) => probe)
}

describe('facts of the text', () => {
  it('find leaks in letters, lengths and places that words do not show', () => {
    const rules: readonly (readonly [probe: string, rule: (told: Told) => boolean])[] = [
      ['letters/second-last', ({ asked: [, b] }) => 'aeiou'.includes(b.at(-1) as string)],
      ['letters/same-last', ({ asked: [a, b] }) => a.at(-1) === b.at(-1)],
      ['letters/lengths-mod-2', ({ asked: [a, b] }) => (a.length + b.length) % 2 === 0],
      [
        'places/gap-first-first-mod-2',
        ({ lines, asked }) => {
          const [x, y] = asked.map((name) => lines.findIndex((line) => line.includes(name))) as [number, number]
          return (x - y) % 2 === 0
        },
      ],
      ['asked/first-mentions', ({ lines, asked }) => lines.filter((line) => line.includes(asked[0])).length === 2],
    ]
    for (const [i, [probe, rule]] of rules.entries()) expect(found(subjects(1000, i + 1, rule))).toContain(probe)
  })

  it('find nothing where nothing is', () => {
    for (let seed = 50; seed < 58; seed++) expect(found(subjects(600, seed))).toEqual([])
  })
})

describe('records of one prompt', () => {
  const parts = [0, 1, 2].flatMap((field) => [0, 1, 2].map((value) => ({ field, value, part: `f${field}v${value}` })))
  /** Pairs of records: the second is the first with one field turned; `leak`: the field that the answer names. */
  const set = (n: number, leak: boolean): Subject[] => {
    const stream = new Sfc32(4, 4, 4, 4)
    return Array.from({ length: n }, (_, index) => {
      const field = below(stream, 3)
      const turned = leak ? field : below(stream, 3)
      const records = Array.from({ length: 5 }, () => {
        const rows = Array.from({ length: 3 }, () => [below(stream, 3), below(stream, 3), below(stream, 3)])
        const other = rows.map((row, r) =>
          row.map((value, f) => (f === turned ? (rows[(r + 1) % 3]?.[f] as number) : value)),
        )
        return [rows, other]
      }).flat()
      const gold = `rule(X) :- f${field}v${below(stream, 3)}`
      return {
        ...(subjects(1, 1)[0] as Subject),
        index,
        group: index,
        cluster: `${index}`,
        parts: recordParts({ records, parts }, gold),
      }
    })
  }
  const failing = (list: readonly Subject[]) =>
    decide(recordProbes(list), { alpha: 0.01, stream: () => new Sfc32(1, 1, 1, 1) })
      .filter(({ status }) => status === 'fail')
      .map(({ probe }) => probe)

  it('tell, labels unread, which field a pair turns', () => {
    expect(failing(set(200, true))).toEqual(
      expect.arrayContaining(['records/pairs-one-field', 'records/boosted-trees']),
    )
  })
  it('tell nothing where pairs turn any field', () => {
    expect(failing(set(200, false))).toEqual([])
  })
})
