import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLab } from '../../../src/index.ts'
import {
  conditionCount,
  filterOf,
  type ItemRow,
  type ItemsFilter,
  isSubset,
  itemsFilter,
  parametersOf,
} from '../../../src/view/api/index.ts'
import { itemsOfExport } from '../../../src/view/client/exported-items.ts'
import { filterParts } from '../../../src/view/client/parts/filter-words.ts'
import { itemsOf, PAGE } from '../../../src/view/server/items.ts'
import { type ViewedRun, viewRun } from '../../../src/view/server/open-runs.ts'
import { sample } from '../../nightly.ts'

/** What a model may have said that a search could stumble over. */
const SAID = [
  'Answer: Yes',
  'Answer: No',
  'ΑΣ und ΑΣΑ, Straße ẞ, İstanbul ıI ſ',
  '\'; DROP TABLE rows; -- " % _ \\ [a-z]*',
  '\u0000null \u202Ereversed\u202C 😀😀 \uD800 lone',
  `${'aaab'.repeat(20_000)}`,
  '',
]
const MODELS = ['one', 'two', 'three']
const SAMPLES = 2

interface Said {
  readonly item: string
  readonly model: string
  readonly text: string
  readonly reasoning: string
  readonly tokens: number
}

let folder: string
let viewed: ViewedRun
let all: readonly ItemRow[]
const said: Said[] = []
const prompts = new Map<string, string>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-filters-'))
  const lab = await openLab({ env: {} })
  const content = { task: 'recoglab/comparison', preset: 'symbolic-distance', seed: '1', count: 24 }
  const task = lab.task(content.task)
  const source = task.source(task.preset(content.preset).config, { split: 'test', seed: content.seed })
  const items = Array.from({ length: content.count }, (_, index) => source.item(index)).flatMap((item) =>
    item.kind === 'item' ? [item] : [],
  )
  const [style] = task.styles
  for (const item of items) {
    const request = source.request(item, style)
    if (request.kind === 'chat') prompts.set(item.id, request.messages.map((one) => one.content).join('\n'))
  }
  const models = MODELS.map((model, m) => {
    const lines = items.flatMap(({ id: item }, i) =>
      Array.from({ length: SAMPLES }, (_, sample) => {
        const text = SAID[(i * (m + 2) + sample * m) % SAID.length] ?? ''
        const reasoning = SAID[(i + m) % SAID.length] ?? ''
        const tokens = 10 * i + m
        said.push({ item, model, text, reasoning, tokens })
        const usage = { outputTokens: tokens, reasoningTokens: tokens }
        return JSON.stringify({ item, style, model, sample, text, reasoning, usage })
      }),
    )
    const file = join(folder, `${model}.jsonl`)
    writeFileSync(file, `${lines.join('\n')}\n`)
    return { model: `replay:${file}`, name: model, samples: SAMPLES }
  })
  await lab.run({ experiment: { items: [content], models }, out: join(folder, 'run') })
  viewed = await viewRun(join(folder, 'run'), [])
  all = (await itemsOf(viewed, itemsFilter.parse({}), 0)).rows
})
afterAll(async () => {
  await viewed.close()
  rmSync(folder, { recursive: true })
})

const found = async (filter: Partial<ItemsFilter>): Promise<readonly string[]> =>
  (await itemsOf(viewed, itemsFilter.parse(filter), 0)).rows.map(({ item }) => item)
const among = (keeps: (item: string) => boolean): readonly string[] =>
  all.map(({ item }) => item).filter((item) => keeps(item))

test('whatever stands in an answer, a thought or a prompt is found, in capitals too, and in no other', async () => {
  const texts = fc.constantFrom(...SAID.filter((text) => text !== ''), ...prompts.values())
  const part = fc
    .tuple(texts, fc.nat(), fc.integer({ min: 1, max: 200 }))
    .map(([text, at, length]) => text.slice(at % text.length, (at % text.length) + length))
  await fc.assert(
    fc.asyncProperty(fc.oneof(part, fc.string({ minLength: 1, maxLength: 4 })), fc.boolean(), async (text, loud) => {
      const wanted = (loud ? text.toUpperCase() : text).slice(0, 200)
      // A text that is written to a file has no halves of characters.
      const holds = (whole: string): boolean =>
        whole.toWellFormed().toUpperCase().includes(wanted.toWellFormed().toUpperCase())
      const saying = said.filter((one) => holds(one.text) || holds(one.reasoning)).map(({ item }) => item)
      expect(await found({ text: wanted })).toEqual(
        among((item) => saying.includes(item) || holds(prompts.get(item) ?? '')),
      )
    }),
    { numRuns: sample({ nightly: 400, otherwise: 20 }) },
  )
})

test('one response must keep all that is asked of one', async () => {
  for (const [model, least, most] of [
    ['one', 40, 90],
    ['three', 101, 131],
    [undefined, 0, 1000],
  ] as const) {
    const amount = [`reasoning>=${least}`, `reasoning<=${most}`]
    const keeps = said.filter(
      (one) =>
        (model === undefined || one.model === model) &&
        one.tokens >= least &&
        one.tokens <= most &&
        one.text.includes('Answer'),
    )
    expect(await found({ ...(model === undefined ? {} : { model }), amount, text: 'ANSWER: ' })).toEqual(
      among(
        (item) =>
          keeps.some((one) => one.item === item) ||
          said.some(
            (one) =>
              one.item === item &&
              (model === undefined || one.model === model) &&
              one.tokens >= least &&
              one.tokens <= most &&
              one.reasoning.includes('Answer'),
          ),
      ),
    )
  }
  await expect(found({ amount: ['nothing>=3'] })).rejects.toThrow(/no amount "nothing"; there are reasoning/u)
  await expect(found({ amount: ['reasoning>=many'] })).rejects.toThrow('needs a number, got "many"')
})

test('models that differ are found alike by the server and in an exported view', async () => {
  const page = await itemsOf(viewed, itemsFilter.parse({}), 0)
  const filters: Partial<ItemsFilter>[] = [
    ...(['split', 'answers', 'right', 'none'] as const).map((one) => ({ among: one })),
    ...(['onlyA', 'onlyB', 'both', 'neither', 'differ'] as const).map((pair) => ({ a: 'one', b: 'two', pair })),
    ...[0.4, 0.6, 1].map((by) => ({ a: 'one', b: 'three', pair: 'differ' as const, by })),
  ]
  const sizes = []
  for (const filter of filters) {
    const query = new URLSearchParams(parametersOf(itemsFilter.parse(filter)))
    const exported = itemsOfExport([page], query.toString()).rows.map(({ item }) => item)
    expect(await found(filter), query.toString()).toEqual(exported)
    sizes.push(exported.length)
  }
  expect(sizes.filter((size) => size > 0 && size < all.length).length).toBeGreaterThan(5)
  expect(sizes.at(-1)).toBeLessThan(sizes.at(-3) ?? 0)
})

test('a filter comes back from its address; each of its parts can be taken out, and only what items are is a cut', () => {
  const conditions = fc.uniqueArray(
    fc
      .tuple(fc.constantFrom('length', 'a.b'), fc.constantFrom('=', '>=', '<='), fc.integer())
      .map(([name, operator, value]) => `${name}${operator}${value}`),
    { maxLength: 4 },
  )
  const text = fc.string({ minLength: 1, maxLength: 20 })
  const filters = fc.record(
    {
      parser: fc.constant('strict'),
      feature: conditions,
      amount: conditions,
      task: text,
      text,
      among: fc.constantFrom('split', 'answers'),
      outcome: fc.constantFrom('right', 'wrong'),
      pair: fc.constant('differ'),
      a: text,
      b: text,
      by: fc.constantFrom(0.25, 1),
    },
    { requiredKeys: ['parser', 'feature', 'amount'] },
  ) as fc.Arbitrary<ItemsFilter>
  fc.assert(
    fc.property(filters, (filter) => {
      expect(filterOf(parametersOf(filter)).data).toEqual(filter)
      let left = filter
      for (let step = 0; filterParts(left).length > 0; step++) {
        expect(step).toBeLessThan(30)
        const next = filterParts(left)[0]?.without ?? left
        expect(conditionCount(next)).toBeLessThan(conditionCount(left))
        left = next
      }
      expect(conditionCount(left)).toBe(0)
      const { text: _text, among: _among, outcome: _outcome, pair: _pair, ...what } = { ...filter, amount: [] }
      expect(isSubset(what)).toBe(conditionCount(what) > 0)
      if (conditionCount(what) < conditionCount(filter)) expect(isSubset(filter)).toBe(false)
    }),
  )
})

test('pages of a filter follow one another, and none comes after the last', async () => {
  expect(all.length).toBeLessThan(PAGE)
  const { rows, total } = await itemsOf(viewed, itemsFilter.parse({}), 20)
  expect(total).toBe(all.length)
  expect(rows).toEqual(all.slice(20))
  expect(await itemsOf(viewed, itemsFilter.parse({}), 10_000)).toMatchObject({ total: all.length, rows: [] })
})
