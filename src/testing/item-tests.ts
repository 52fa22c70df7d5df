import { z } from 'zod'
import { canonicalJson, type Item, parseJson, type Source, schemaErrorMap } from '../core/index.ts'
import { assertEqual, assertThat, ContractError, type ContractTest } from './contract-test.ts'
import { firstItems, problemOf, questionOf } from './subject.ts'

const requestShape = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('chat'),
    messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1),
  }),
  z.object({ kind: z.literal('score'), context: z.string(), text: z.string() }),
])

/** An item as text, its shared content replaced by its hash. */
const canonicalOf = (item: ReturnType<Source['item']>): string =>
  JSON.stringify({ ...item, shared: item.kind === 'item' ? item.groupHash : null })

/** Tests of items, sources, prompts and features. */
export const itemTests: readonly ContractTest[] = [
  {
    id: 'order',
    description: 'draws the same item in any order, from a new source and from a stored plan',
    run({ task, config, test }) {
      const size = test.layout.size ?? 5000
      const indices = [...new Set([0, 1, size - 1])].filter((index) => index < size)
      const first = indices.map((index) => canonicalOf(test.item(index)))
      const plan = parseJson(JSON.stringify(test.plan))
      const again = task.source(config, { split: 'test', seed: '1' }, plan === null ? undefined : plan)
      for (const index of indices.toReversed())
        assertEqual(
          canonicalOf(again.item(index)),
          first[indices.indexOf(index)],
          `item ${index} drawn again, in reverse order`,
        )
    },
  },
  {
    id: 'size',
    description: 'has items, and rejects indices beyond its size',
    run({ test, some }) {
      assertThat(some(1).length === 1, 'the test split with seed 1 has no item: all indices tried are empty')
      const { size } = test.layout
      if (size === null) return
      try {
        test.item(size)
      } catch (error) {
        assertThat(
          /indices/.test(String(error)),
          `index ${size} is beyond the size: expected a UsageError, got ${error}`,
        )
        return
      }
      throw new ContractError(`index ${size} is beyond the size: expected a UsageError, got an item`)
    },
  },
  {
    id: 'seeds',
    description: 'draws different items for another seed or split',
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
          `split ${split}, seed ${seed} has the items of split test, seed 1: draw only from the given streams`,
        )
      }
    },
  },
  {
    id: 'json',
    description: 'gives the same prompts, oracle and witness after a JSON round trip',
    run({ task, test, some }) {
      for (const item of some(3)) {
        const copy = parseJson(JSON.stringify(item)) as unknown as Item
        for (const style of task.styles)
          assertEqual(
            test.request(copy, style),
            test.request(item, style),
            `the prompt of style ${style} of a copy`,
            item,
          )
        assertThat(task.oracle(questionOf(copy), copy.answer), 'the oracle rejects a copy of the answer', item)
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
    description: 'has a request in every prompt style: chat messages, or a string to score',
    run({ task, test, some }) {
      for (const item of some(20))
        for (const style of task.styles) {
          const { error } = requestShape.safeParse(test.request(item, style))
          const [issue] = error?.issues ?? []
          assertThat(
            issue === undefined,
            `the request of style ${style} is invalid (${['request', ...(issue?.path ?? [])].join('.')}: ${issue?.message})`,
            item,
          )
        }
    },
  },
  {
    id: 'blind',
    description: 'makes prompts without reading the answer or the features',
    run({ task, test, some }) {
      const secret = (name: string) => () => {
        throw new ContractError(`request reads the item's ${name}`)
      }
      for (const item of some(3)) {
        const blind = Object.defineProperties(
          { ...item },
          { answer: { get: secret('answer') }, features: { get: secret('features') } },
        )
        for (const style of task.styles)
          assertEqual(test.request(blind, style), test.request(item, style), `the prompt of style ${style}`, item)
      }
    },
  },
  {
    id: 'features',
    description: 'declares every feature, and its items fit the declaration',
    run({ task, some }) {
      const declared = Object.keys(task.features.shape).sort()
      for (const item of some(20)) {
        const { error } = task.features.safeParse(item.features, { error: schemaErrorMap })
        const wrong = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
        assertThat(wrong === undefined, `its features do not fit: ${wrong?.join('; ')}`, item)
        assertEqual(Object.keys(item.features).sort(), declared, 'the names of its features', item)
      }
    },
  },
  {
    id: 'proof',
    description: 'has answers that the oracle accepts and witnesses prove',
    run({ task, some }) {
      for (const item of some(40)) {
        assertThat(task.oracle(questionOf(item), item.answer), 'the oracle rejects its answer', item)
        const witness = parseJson(canonicalJson(task.witness(problemOf(item))))
        assertThat(task.check(problemOf(item), witness), 'its witness does not check', item)
      }
    },
  },
  {
    id: 'minimal-pairs',
    description: 'has minimal pairs of one draw with equal signatures and different answers',
    run({ task, test, some }) {
      const { contrastSize: twins } = test.layout
      if (twins === undefined) return
      const { pairSignature: signature } = task
      assertThat(signature !== undefined, 'it has minimal pairs, but no `pairSignature`')
      for (const [draw, items] of Map.groupBy(some(60 * twins), (item) => item.draw)) {
        if (items.length < twins) continue
        const kinds = (of: (item: Item) => unknown) => new Set(items.map((item) => JSON.stringify(of(item)))).size
        const first = items[0] ?? null
        assertThat(
          kinds((item) => item.twin) === 1,
          `the items of draw ${draw} are not one set (\`twin\` differs)`,
          first,
        )
        assertThat(kinds((item) => item.answer) === twins, `items of draw ${draw} have equal answers`, first)
        assertThat(kinds((item) => signature?.(item)) === 1, `items of draw ${draw} have different signatures`, first)
      }
    },
  },
  {
    id: 'balance',
    description: 'balances labels inside every stratum of a group',
    run({ test: source }) {
      const { label } = source.layout
      if (label === undefined) return
      const counts = new Map<string, Map<string, number>>()
      const limit = Math.min(source.layout.size ?? 600, 600)
      for (let index = 0; index < limit; index++) {
        const slot = source.layout.at(index)
        if ('kind' in slot) continue
        const { [label]: value, ...rest } = source.layout.strata[slot.stratum] ?? {}
        const unit = `${slot.group} ${JSON.stringify(rest)}`
        const found = counts.get(unit) ?? new Map<string, number>()
        found.set(String(value), (found.get(String(value)) ?? 0) + 1)
        counts.set(unit, found)
      }
      // Only the answer block cut by the limit may be uneven, by one.
      for (const [unit, found] of counts) {
        const values = [...found.values()]
        assertThat(
          Math.max(...values) - Math.min(...values) <= 1,
          `labels of stratum ${unit} among the first ${limit} indices: ${JSON.stringify(Object.fromEntries(found))}`,
        )
      }
    },
  },
]
