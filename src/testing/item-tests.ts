import { z } from 'zod'
import { canonicalJson, type Item, parseJson, type Source, schemaErrorMap } from '../core/index.ts'
import { assertThat, ContractError, type ContractTest, demandEqual } from './contract-test.ts'
import { firstItems, problemOf, questionOf } from './subject.ts'

const requestShape = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('chat'),
    messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1),
  }),
  z.object({ kind: z.literal('score'), context: z.string(), text: z.string() }),
])

/** An item without the shared part, which its hash stands for. */
const canonicalOf = (item: ReturnType<Source['item']>): string =>
  JSON.stringify({ ...item, shared: item.kind === 'item' ? item.groupHash : null })

/** Laws of items: drawn by their place alone, proved, described. */
export const itemTests: readonly ContractTest[] = [
  {
    id: 'order',
    description: 'makes the same item in any order, from a fresh source and from a stored plan',
    run({ task, config, test }) {
      const size = test.layout.size ?? 5000
      const indices = [0, 1, 2, Math.floor(size / 2), size - 1].filter((index) => index < size)
      const first = indices.map((index) => canonicalOf(test.item(index)))
      const plan = parseJson(JSON.stringify(test.plan))
      const again = task.source(config, { split: 'test', seed: '1' }, plan === null ? undefined : plan)
      for (const index of indices.toReversed())
        demandEqual(
          canonicalOf(again.item(index)),
          first[indices.indexOf(index)],
          `item ${index} drawn again, backwards`,
        )
    },
  },
  {
    id: 'size',
    description: 'has items, and indices without end or with an end that is told',
    run({ test, some }) {
      assertThat(
        some(1).length === 1,
        'there is no item of the test split with seed 1: all indices looked at are holes',
      )
      const { size } = test.layout
      if (size === null) return
      try {
        test.item(size)
      } catch (error) {
        assertThat(/indices/.test(String(error)), `index ${size} is past the end: expected a UsageError, got ${error}`)
        return
      }
      throw new ContractError(`index ${size} is past the end, and an item came`)
    },
  },
  {
    id: 'seeds',
    description: 'gives other items for another seed and another split',
    run({ open, some }) {
      const items = some(8)
      const here = items.map((item) => canonicalJson(item.given))
      for (const [split, seed] of [
        ['test', '2'],
        ['train', '1'],
      ] as const) {
        const there = firstItems(open(split, seed), items.length).map((item) => canonicalJson(item.given))
        assertThat(
          canonicalJson(there) !== canonicalJson(here),
          `split ${split}, seed ${seed} begins with the items of split test, seed 1: draw from the streams you are given`,
        )
      }
    },
  },
  {
    id: 'json',
    description: 'survives a JSON round trip: same prompts, oracle, gold and witness',
    run({ task, test, some }) {
      for (const item of some(3)) {
        const copy = parseJson(JSON.stringify(item)) as unknown as Item
        for (const style of task.styles)
          demandEqual(
            test.request(copy, style),
            test.request(item, style),
            `the prompt of style ${style} of a copy`,
            item,
          )
        assertThat(task.oracle(questionOf(copy), copy.answer), 'the oracle refuses a copy of the answer', item)
        assertThat(
          task.check(problemOf(copy), task.witness(problemOf(item))),
          'the witness does not check on a copy',
          item,
        )
      }
    },
  },
  {
    id: 'request',
    description: 'asks something in every style: messages with text, or a string to be scored',
    run({ task, test, some }) {
      for (const item of some(20))
        for (const style of task.styles) {
          const { error } = requestShape.safeParse(test.request(item, style))
          const [issue] = error?.issues ?? []
          assertThat(
            issue === undefined,
            `the request of style ${style} is none (${['request', ...(issue?.path ?? [])].join('.')}: ${issue?.message})`,
            item,
          )
        }
    },
  },
  {
    id: 'blind',
    description: 'asks without looking at the answer or the features',
    run({ task, test, some }) {
      const secret = (name: string) => () => {
        throw new ContractError(`the prompt looked at the item's ${name}`)
      }
      for (const item of some(3)) {
        const blind = Object.defineProperties(
          { ...item },
          { answer: { get: secret('answer') }, features: { get: secret('features') } },
        )
        for (const style of task.styles)
          demandEqual(test.request(blind, style), test.request(item, style), `the prompt of style ${style}`, item)
      }
    },
  },
  {
    id: 'features',
    description: 'has declared every feature, and its items fit the declaration',
    run({ task, some }) {
      const declared = Object.keys(task.features.shape).sort()
      for (const item of some(20)) {
        const { error } = task.features.safeParse(item.features, { error: schemaErrorMap })
        const wrong = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
        assertThat(wrong === undefined, `its features do not fit: ${wrong?.join('; ')}`, item)
        demandEqual(Object.keys(item.features).sort(), declared, 'the names of its features', item)
      }
    },
  },
  {
    id: 'proof',
    description: 'is right by its oracle, and its witnesses check',
    run({ task, some }) {
      for (const item of some(40)) {
        assertThat(task.oracle(questionOf(item), item.answer), 'the oracle calls its answer wrong', item)
        const witness = parseJson(canonicalJson(task.witness(problemOf(item))))
        assertThat(task.check(problemOf(item), witness), 'its witness does not check', item)
      }
    },
  },
  {
    id: 'twins',
    description: 'asks twins alike: equal signatures, different answers, one draw',
    run({ task, test, some }) {
      const { contrastSize: twins } = test.layout
      if (twins === undefined) return
      const { pairSignature: signature } = task
      assertThat(signature !== undefined, 'it has twins and no signature, which says what they have in common')
      for (const [draw, items] of Map.groupBy(some(60 * twins), (item) => item.draw)) {
        if (items.length < twins) continue
        const kinds = (of: (item: Item) => unknown) => new Set(items.map((item) => JSON.stringify(of(item)))).size
        const first = items[0] ?? null
        assertThat(kinds((item) => item.twin) === 1, `the items of draw ${draw} are not one set of twins`, first)
        assertThat(kinds((item) => item.answer) === twins, `twins of draw ${draw} have equal answers`, first)
        assertThat(kinds((item) => signature?.(item)) === 1, `twins of draw ${draw} have other signatures`, first)
      }
    },
  },
  {
    id: 'balance',
    description: 'keeps labels equal inside every unit',
    run({ test: source }) {
      const { label } = source.layout
      if (label === undefined) return
      const counts = new Map<string, Map<string, number>>()
      const limit = Math.min(source.layout.size ?? 600, 600)
      for (let index = 0; index < limit; index++) {
        const place = source.layout.at(index)
        if ('kind' in place) continue
        const { [label]: value, ...rest } = source.layout.strata[place.stratum] ?? {}
        const unit = `${place.group} ${JSON.stringify(rest)}`
        const found = counts.get(unit) ?? new Map<string, number>()
        found.set(String(value), (found.get(String(value)) ?? 0) + 1)
        counts.set(unit, found)
      }
      // Only the visit that the prefix cuts may be uneven, by one.
      for (const [unit, found] of counts) {
        const values = [...found.values()]
        assertThat(
          Math.max(...values) - Math.min(...values) <= 1,
          `labels of unit ${unit} among the first ${limit}: ${JSON.stringify(Object.fromEntries(found))}`,
        )
      }
    },
  },
]
