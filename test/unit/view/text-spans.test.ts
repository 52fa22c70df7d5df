import { expect, test } from 'vitest'
import { families } from '../../../src/tasks/index.ts'
import { linkSpans } from '../../../src/view/client/parts/text-spans.ts'
import { drawingOf } from '../../../src/view/client/truth/kinds.ts'

const links = (...texts: readonly string[]) => texts.map((text) => ({ text, parts: ['node/0'] }))

test('names are found as words, sentences around them, and never inside another word', () => {
  const text = 'Al is taller than Alma. Alma ran.'
  const found = linkSpans(text, links('Al', 'Alma', 'Al is taller than Alma.'))
  expect(found.map(({ start, end, texts }) => [text.slice(start, end), texts])).toEqual([
    ['Al', ['Al is taller than Alma.', 'Al']],
    [' is taller than ', ['Al is taller than Alma.']],
    ['Alma', ['Al is taller than Alma.', 'Alma']],
    ['.', ['Al is taller than Alma.']],
    ['Alma', ['Alma']],
  ])
})

test('a hostile text is searched in bounded time and shown in bounded pieces', () => {
  const many = links(...Array.from({ length: 2000 }, (_, i) => `a${'b'.repeat(i % 50)}`), '', 'a')
  const text = 'ab a '.repeat(40_000)
  const found = linkSpans(text, many)
  expect(found.length).toBeLessThanOrEqual(8000)
  expect(found.every(({ start }, i) => i === 0 || start >= (found[i - 1]?.end ?? 0))).toBe(true)
})

/** Which share of the links of a drawing must be found again in the words of one style at least. */
const told = new Map([
  ['recoglab/comparison', 1],
  ['recoglab/social', 1],
  ['clutrr/kinship', 1],
  ['pbebench/reorder', 1],
  ['pbebench/induce', 0.5],
  ['relic/recognize', 1],
  ['recoglab/families', 1],
])

test.each([...told])('what drawings of %s link to stands in the prompt', (name, least) => {
  const task = families.flatMap((family) => family.tasks).find((one) => one.name === name)
  if (task === undefined) throw new Error(`no task ${name}`)
  const names = Object.keys(task.presets)
  const preset = names.find((name) => name.endsWith('-demo')) ?? names[0] ?? ''
  const source = task.source(task.preset(preset).config, { split: 'test', seed: 'links' })
  let declared = 0
  for (let index = 0; index < 6; index++) {
    const item = source.item(index)
    if (item.kind === 'hole') continue
    const prompt = JSON.stringify(source.request(item, task.styles[0]))
    const { shared, given, answer } = item
    for (const drawing of task.drawings?.({ shared, given, answer }) ?? []) {
      const all = drawingOf(drawing)?.links ?? []
      const found = all.filter(({ text }) => prompt.includes(JSON.stringify(text).slice(1, -1)))
      expect(found.length).toBeGreaterThanOrEqual(least * all.length)
      declared += all.length
    }
  }
  expect(declared).toBeGreaterThan(0)
})

test('a text is found inside a word where its link says so', () => {
  const text = '3213213 and 321 alone'
  const places = (inside: boolean) =>
    linkSpans(text, [{ text: '321', parts: ['span/0/0'], inside }]).map(({ start }) => start)
  expect(places(true)).toEqual([0, 3, 12])
  expect(places(false)).toEqual([12])
})
