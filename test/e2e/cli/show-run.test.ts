import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Responses } from '../../../src/lab/index.ts'
import { type Mock, startMock } from '../../mock/server.ts'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

const folder = scratch()
const run = folder.path('run')
const models = ['baseline:random', 'baseline:last-mentioned']
let mock: Mock

beforeAll(async () => {
  const asked = ['recoglab/comparison', '--preset', 'people', '--count', '40']
  await touchstone(['run', ...asked, ...models.flatMap((model) => ['--model', model]), '--out', run])
})
afterAll(async () => {
  await mock?.close()
  folder.remove()
})

const shown = (...flags: string[]) => json<Responses>(['show', run, '--limit', '1000', ...flags])

test('every cell is there, with prompt, answer, reading and truth', async () => {
  const { calls, matched } = await shown()
  expect(matched).toBe(80)
  for (const { request, response, outcome, gold, item } of calls) {
    expect(request?.kind).toBe('chat')
    expect(gold).toBe(`Answer: ${String(item.answer)}`)
    if (outcome?.kind !== 'answered' || response === null) throw new Error('not answered')
    const strict = outcome.results['strict']
    if (strict?.kind !== 'graded') throw new Error('not read')
    expect(response.text.slice(...strict.span)).toBe(strict.answer)
    expect(strict.value).toBe(strict.answer === item.answer ? 1 : 0)
  }
})

test('--wrong and --differ are what their names say', async () => {
  const all = await shown()
  const right = ({ outcome }: (typeof all.calls)[number]) =>
    outcome?.kind === 'answered' &&
    outcome.results['strict']?.kind === 'graded' &&
    outcome.results['strict'].value === 1
  const wrong = await shown('--wrong')
  expect(wrong.calls.map(({ call }) => call)).toEqual(all.calls.filter((cell) => !right(cell)).map(({ call }) => call))
  const differ = await shown(...models.flatMap((model) => ['--disagree', model]))
  const byItem = Map.groupBy(all.calls, ({ item }) => item.id)
  const expected = [...byItem.values()].filter((pair) => new Set(pair.map(right)).size === 2).flat()
  expect(new Set(differ.calls.map(({ call }) => call))).toEqual(new Set(expected.map(({ call }) => call)))
})

test('--model, --item and --where choose, and join', async () => {
  const all = await shown()
  const [first] = all.calls
  const one = await shown('--item', first?.item.id ?? '', '--model', 'baseline:random')
  expect(one.calls.map(({ model }) => model)).toEqual(['baseline:random'])
  const second = all.calls.find(({ item }) => item.id.endsWith('/1'))?.item.id ?? ''
  // Ids of items 10 to 19 begin with that of item 1.
  expect(all.calls.some(({ item }) => item.id === `${second}0`)).toBe(true)
  for (const name of [second, '1']) {
    const { calls } = await shown('--item', name)
    expect(new Set(calls.map(({ item }) => item.id))).toEqual(new Set([second]))
  }
  const far = await shown('--where', 'feature_distance >= 10', '--wrong')
  expect(far.calls.every(({ item }) => Number(item.features['distance']) >= 10)).toBe(true)
})

test.each([
  [['--model', 'baseline:rndom'], /unknown model.*baseline:random/],
  [['--disagree', 'baseline:random'], /given twice/],
  [['--parser', 'nobody'], /has no parser "nobody"/],
  [['--where', '1=1; COPY x'], /not one SQL expression/],
  [['--index', '3'], /is a run/],
])('%s is refused in words', async (flags, words) => {
  const { code, stderr } = await touchstone(['show', run, ...flags])
  expect(stderr).toMatch(words)
  expect(code).toBe(2)
})

test('what a model says steers no terminal, and what failed says why', async () => {
  const evil = `${String.fromCodePoint(0x1b)}]0;owned Answer: Yes`
  mock = await startMock({ answer: () => evil })
  const out = folder.path('evil')
  const asked = ['recoglab/comparison', '--preset', 'people', '--count', '3', '--model', 'openai-compatible:m']
  await touchstone(['run', ...asked, '--base-url', mock.url, '--out', out])
  const { stdout } = await touchstone(['show', out, '--limit', '1'])
  expect(stdout).toContain('u{1b}')
  expect(stdout).not.toContain(String.fromCodePoint(0x1b))
})
