import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Item, sha256Hex, type Task } from '../../../../src/core/index.ts'
import { type AuditItem, answerBlockOf, prepare } from '../../../../src/datasets/audit/prepare.ts'
import necklace from '../../../toys/necklace.ts'

const { config } = necklace.preset('small')
const source = necklace.source(config, { split: 'test', seed: 1 })
const items = [0, 1, 2, 24, 25].map((index): AuditItem => {
  const item = source.item(index) as Item
  return { ...item, request: source.request(item, 'plain') }
})
async function* batches(list: readonly AuditItem[]) {
  yield list.slice(0, 2)
  yield list.slice(2)
}
const prepared = (task: Task, list: readonly AuditItem[] = items) => prepare(task, source.layout, batches(list))

describe('items are prepared', () => {
  it('in clusters: by the key of their group, by its number, by their own key, or each alone', async () => {
    const clusters = async (task: Task) => (await prepared(task)).subjects.map(({ cluster }) => cluster)
    const keys = items.map(({ shared }) => sha256Hex((shared as { beads: string }).beads).slice(0, 32))
    expect(await clusters(necklace)).toEqual(keys)
    const { partition: _, ...open } = necklace
    expect(await clusters(open)).toEqual(['group 0', 'group 0', 'group 0', 'group 1', 'group 1'])
    const { group: _group, canonical: _canonical, ...alone } = open
    expect(await clusters(alone as Task)).toEqual(items.map(({ index }) => `item ${index}`))
    const named = await clusters({
      ...alone,
      canonical: ({ given }: { given: unknown }) => JSON.stringify(given),
    } as never)
    expect(named).toEqual(items.map(({ given }) => sha256Hex(JSON.stringify(given)).slice(0, 32)))
    const twins = items.map((item) => ({ ...item, twin: 7 }))
    expect((await prepared(alone as Task, twins)).subjects.map(({ cluster }) => cluster)).toEqual(
      items.map(() => 'twins 7'),
    )
  })

  it('and counted where another with their key came before', async () => {
    const task = { ...necklace, canonical: ({ given }: { given: { string: string } }) => given.string } as never as Task
    const found = await prepared(task, [...items, ...items.slice(0, 2)])
    const different = new Set(items.map(({ given }) => JSON.stringify(given))).size
    expect([found.canonicalKeys, found.duplicates]).toEqual([7, 7 - different])
    const { canonical: _, ...without } = task
    expect(await prepared(without as Task)).toMatchObject({ canonicalKeys: 0, duplicates: 0 })
  })

  it('with their words, unit and guesses, and with what is true only where an audit of the task needs it', async () => {
    const task = {
      ...necklace,
      heuristics: { length: ({ given }: { given: { string: string } }) => String(given.string.length) },
    }
    const { subjects, truths } = await prepared(task as never)
    for (const [i, { names, answerBlock, guesses, index, group, twin }] of subjects.entries()) {
      const item = items[i] as AuditItem
      const { string } = item.given as { string: string }
      expect([...names]).toEqual([string])
      expect(answerBlock).toBe(JSON.stringify({ length: item.features['length'] }))
      expect([guesses, index, group, twin]).toEqual([{ length: String(string.length) }, item.index, item.group, null])
    }
    expect(truths).toBeNull()
    const audits = [{ id: 'a', title: 'a', needs: ['answer'], run: () => ({ tables: [] }) }]
    expect((await prepared({ ...necklace, audits })).truths).toEqual(
      items.map(({ given, answer }) => ({ given, answer })),
    )
  })
})

it('a unit is the levels of a stratum but the label', () => {
  const layout = { strata: [{ a: 1, label: true, b: 'x' }], label: 'label' }
  expect(answerBlockOf(layout, 0)).toBe('{"a":1,"b":"x"}')
  expect([answerBlockOf(layout, null), answerBlockOf(null, 0), answerBlockOf({ strata: layout.strata }, 0)]).toEqual([
    null,
    null,
    null,
  ])
})

it('a prompt keeps the lines that the first prompt of its group lacks, in any order and number', async () => {
  const lines = fc.array(fc.constantFrom('', 'a', 'b', 'ab', 'ba', 'a b'), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.array(lines, { minLength: 1, maxLength: 6 }), async (prompts) => {
      const list = prompts.map((prompt, index): AuditItem => {
        const messages = [{ role: 'user', content: prompt.join('\n') }] as const
        return { ...(items[0] as AuditItem), index, request: { kind: 'chat', messages } }
      })
      const { subjects } = await prepared(necklace, list)
      const first = new Set(prompts[0]?.join('\n').split('\n'))
      const kept = prompts.map((prompt) =>
        prompt
          .join('\n')
          .split('\n')
          .filter((line) => !first.has(line)),
      )
      expect(subjects.slice(1).map(({ text }) => text)).toEqual(kept.slice(1).map((own) => own.join('\n')))
    }),
    { numRuns: 2000, examples: [[[['b'], ['ba', 'a b']]]] },
  )
})
