import { expect, it } from 'vitest'
import { framesFromRows, keyReport, parseKey } from '../../../src/report/index.ts'

const rowsOf = (answers: readonly (string | null)[]) =>
  answers.map((answer, i) => ({
    item: `i${i}`,
    group: `g${i}`,
    task: 'a/b',
    config: 'c',
    style: 's',
    model: 'm',
    sample: 0,
    status: answer === null ? 'unparsed' : 'graded',
    score: answer === null ? null : 1,
    prediction: answer,
  }))
const frameOf = async (answers: readonly (string | null)[]) => {
  const frame = (await framesFromRows(rowsOf(answers))).frame('strict')
  if (frame === null) throw new Error('no rows')
  return frame
}
const keyOf = (answers: readonly unknown[], right: number) =>
  parseKey(answers.map((answer, i) => JSON.stringify({ item: `i${i}`, answer, right })).join('\n'), 'key.jsonl')

it('whoever repeats the published answers is seen; a good model that has its own answers is not', async () => {
  const key = keyOf(
    Array.from({ length: 20 }, () => [1, 0]),
    4,
  )
  const repeats = keyReport(await frameOf(Array.from({ length: 20 }, () => '[1,0]')), 'm', key)
  expect(repeats).toMatchObject({ items: 20, matches: 20, expected: 5, missing: 0 })
  expect(repeats.p).toBeCloseTo(0.25 ** 20, 15)
  const own = keyReport(
    await frameOf(Array.from({ length: 20 }, (_, i) => (i % 4 === 0 ? '[1,0]' : '[0,1]'))),
    'm',
    key,
  )
  expect(own.p).toBeGreaterThan(0.3)
})

it('what is not read matches nothing and stays in; items that were not asked are counted', async () => {
  const key = [...keyOf(['x', 'y', 'z'], 2), { item: 'elsewhere', answer: 'x', right: 2 }]
  expect(keyReport(await frameOf(['x', null, 'y']), 'm', key)).toMatchObject({ items: 3, matches: 1, missing: 1 })
  expect(keyReport(await frameOf(['x']), 'm', key)).toMatchObject({ items: 1, p: 0.5 })
  const nobody = await frameOf(['x'])
  expect(() => keyReport(nobody, 'other', key)).toThrow(/other answered no item of the key/u)
})

it.each([
  ['{"item":"a","answer":"x"}', /line 1 is not/u],
  ['{"item":"a","answer":"x","right":0}', /line 1 is not/u],
  ['\n{"item":', /line 2 is not JSON/u],
  ['{"item":"a","answer":"x","right":2}\n{"item":"a","answer":"y","right":2}', /line 2: the item a occurs twice/u],
  ['', /is empty: expected JSON lines/u],
])('refuses %s', (text, said) => expect(() => parseKey(text, 'key.jsonl')).toThrow(said))
