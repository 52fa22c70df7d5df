import { expect, test } from 'vitest'
import { float, type Json, namedStream, runAnalysis } from '../../../src/core/index.ts'
import { memoryFrame } from '../../../src/libraries/statistics/index.ts'
import { familyAnalyses } from '../../../src/tasks/relic/grammars/analyses/index.ts'

interface Row {
  readonly [column: string]: Json
}
interface Interval {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The first rows of the tables of an analysis over these responses. */
function tablesOf(id: string, rows: readonly Row[]) {
  const all = rows.map(
    (row, k) => ({ status: 'graded', model: 'm', item: `i${k}`, task: 'relic/parse', ...row }) as Row,
  )
  const names = [...new Set(all.flatMap((row) => Object.keys(row)))]
  const frame = memoryFrame(
    Object.fromEntries(names.map((name) => [name, all.map((row) => row[name] ?? null)])) as never,
  )
  const analysis = familyAnalyses.find((one) => one.id === id)!
  const { tables } = runAnalysis(analysis, frame, { parser: 'strict', seed: 1, frameOf: () => null })
  return Object.fromEntries(
    tables.map((table) => [table.id, table.rows as unknown as readonly { [key: string]: never }[]]),
  )
}

/** Items of 150 grammars; rules and work do not depend on one another. */
function drawn(
  label: string,
  chance: (rules: number, work: number) => number,
  more: (work: number) => Row = () => ({}),
) {
  const stream = namedStream('family analyses test', label)
  return Array.from({ length: 1200 }, (_, k): Row => {
    const group = Math.floor(k / 8)
    const rules = 60 * 2 ** (5 * ((group * 0.618) % 1))
    const work = 32 * 2 ** (5 * float(stream))
    const score = float(stream) < chance(rules, work) ? 1 : 0
    return { group: `${label}${group}`, feature_rules: rules, feature_work: work, score, ...more(work) }
  })
}
const falling = (_rules: number, work: number) => 1 / (1 + Math.exp(-(4 - 0.8 * (Math.log2(work) - 2))))

test('the surface finds planted slopes and where odds are even: accuracy falls with work and not with rules', () => {
  const { 'relic/dials': slopes, 'relic/contour': contour } = tablesOf('relic/surface', drawn('surface', falling))
  const { work, rules, at100 } = slopes![0] as unknown as { work: Interval; rules: Interval; at100: number }
  expect([work.low < -0.8, work.high > -0.8, work.high < -0.4]).toEqual([true, true, true])
  expect([rules.low < 0, rules.high > 0]).toEqual([true, true])
  // Even odds at log2 work = 7.
  expect(Math.abs(Math.log2(at100) - 7)).toBeLessThan(0.6)
  expect(contour!.length).toBeGreaterThan(5)
})

test('the surface of more responses than a call has arguments', () => {
  const some = drawn('many', falling)
  const { 'relic/dials': slopes } = tablesOf(
    'relic/surface',
    Array.from({ length: 130_000 }, (_, k) => some[k % some.length]!),
  )
  expect(slopes![0]!['n']).toBe(130_000)
})

test('effort: a power of work without a knot, and effort that stops at 200 items', () => {
  const noise = namedStream('family analyses test', 'tokens')
  const spent = (most: number) =>
    drawn('effort', falling, (work) => ({
      output_tokens: 10 * Math.min(work, most) ** 0.6 * Math.exp(0.1 * (float(noise) - 0.5)),
    }))
  const [steady, stopping] = [Number.POSITIVE_INFINITY, 200].map(
    (most) =>
      tablesOf('relic/effort', spent(most))['relic/effort']![0] as unknown as {
        quits: string
        exponent: Interval
        at: Interval
      },
  )
  expect(steady!.quits).toBe('no')
  expect(steady!.exponent.value).toBeCloseTo(0.6, 1)
  expect(stopping!.at.value).toBeGreaterThan(130)
  expect(stopping!.at.value).toBeLessThan(280)
})

test('tasks and forms are compared at equal rules and work, where they differ together as they come', () => {
  const easy: readonly Row[] = drawn('easy', falling).filter((_, k) => k % 3 !== 0)
  const hard: readonly Row[] = drawn('hard', falling).filter(
    ({ feature_work: work }, k) => (work as number) > 150 || k % 6 === 0,
  )
  const sides: readonly Row[] = [
    ...easy.map((row) => ({ ...row, feature_form: 'cnf' })),
    ...hard.map((row) => ({ ...row, task: 'relic/fill', feature_form: 'cnf' })),
    ...hard.map((row) => ({ ...row, feature_form: 'greibach' })),
  ]
  for (const id of ['relic/side-by-side', 'relic/forms']) {
    const chosen = sides.filter(({ task, feature_form: form }) =>
      id === 'relic/forms' ? task === undefined : form === 'cnf',
    )
    const found = tablesOf(id, chosen)[id] as unknown as readonly { accuracy: number; equal: Interval }[]
    expect(found).toHaveLength(2)
    const [a, b] = found as [(typeof found)[0], (typeof found)[0]]
    expect(a.accuracy - b.accuracy).toBeGreaterThan(0.08)
    expect(a.equal.low).toBeLessThan(b.equal.high)
    expect(Math.abs(a.equal.value - b.equal.value)).toBeLessThan(0.06)
  }
})

test('a style that costs a tenth is found by pairs, and one that costs nothing is not', () => {
  const base = drawn('style', falling).map((row, k) => ({ ...row, item: `p${k}`, style: 'zero-shot' }))
  const stream = namedStream('family analyses test', 'styles')
  const worse = base.map((row) => ({ ...row, style: 'words', score: float(stream) < 0.1 ? 0 : (row as Row)['score']! }))
  const same = base.map((row) => ({ ...row, style: 'prose' }))
  const found = tablesOf('relic/presentation', [...base, ...worse, ...same])[
    'relic/presentation'
  ] as unknown as readonly {
    style: string
    difference: Interval
    holm: number
  }[]
  expect(found.map(({ style, holm }) => [style, holm < 0.001])).toEqual([
    ['words', true],
    ['prose', false],
  ])
  expect(found[0]!.difference.high).toBeLessThan(0)
})

test('first errors are counted by position, and wrong sets by what they miss and add', () => {
  const rows: readonly Row[] = [
    ...Array.from({ length: 8 }, (_, k) => ({ subscore_nodes: k / 8, score: 0 })),
    { subscore_nodes: 1, score: 1 },
    { task: 'relic/next', subscore_missed: 0.5, subscore_added: 0.25, score: 0 },
    { task: 'relic/repair', subscore_member: 0, score: 0 },
    { task: 'relic/repair', subscore_member: 1, score: 0 },
  ].map((row, k) => ({ group: `g${k % 3}`, feature_work: 50 + k, feature_rules: 100, ...row }))
  const { 'relic/first-error': kinds, 'relic/right-so-far': places } = tablesOf('relic/first-error', rows)
  expect(kinds).toMatchObject([
    { task: 'relic/parse', wrong: 8, first: 3.5 / 8, atOnce: 1 / 8 },
    { task: 'relic/next', missed: 0.5, added: 0.25 },
    { task: 'relic/repair', outside: 0.5, tooFar: 0.5 },
  ])
  expect(places!.map(({ right }) => right)).toEqual([8, 7, 6, 5, 4, 4, 3, 2, 1, 0, 0].map((n) => n / 8))
})
