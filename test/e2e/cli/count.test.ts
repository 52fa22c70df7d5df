import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

const folder = scratch()
afterAll(folder.remove)
const demo = ['relic/recognize', '--preset', 'relic-demo', '--set', 'twins=none'] as const

async function itemsOf(run: string) {
  const { calls } = await json<{ calls: readonly { item: { id: string; group: number } }[] }>([
    'show',
    run,
    '--limit',
    '1000',
  ])
  return calls.map(({ item }) => item)
}

describe('a run of some items', () => {
  it('takes them evenly from all groups, the same ones again, by flags and by a file', async () => {
    const run = async (out: string, ...what: readonly string[]) => {
      const { code } = await touchstone(['run', ...what, '--out', folder.path(out)])
      expect(code).toBe(0)
      return itemsOf(folder.path(out))
    }
    const flags = [...demo, '--count', '40', '--model', 'baseline:gold']
    const items = await run('once', ...flags)
    expect(items.length).toBe(40)
    const sizes = [...Map.groupBy(items, ({ group }) => group).values()].map(({ length }) => length)
    expect(sizes.length).toBe(32)
    expect(Math.max(...sizes)).toBe(2)
    expect(await run('again', ...flags)).toEqual(items)
    const file = folder.path('some.yaml')
    writeFileSync(
      file,
      'seed: 1\nitems: { task: relic/recognize, preset: relic-demo, config: { twins: none }, count: 40 }\nmodels: ["baseline:gold"]\n',
    )
    expect(await run('of-file', file)).toEqual(items)
    const few = await run('few', ...demo, '--count', '12', '--model', 'baseline:gold')
    const known = new Set(items.map(({ id }) => id))
    expect(few.every(({ id }) => known.has(id))).toBe(true)
  })

  it('of a dataset of few groups says so: there are no others to take', async () => {
    const set = folder.path('set')
    await json(['generate', ...demo, '--count', '40', '--out', set])
    for (const flags of [[], ['--count', '9']]) {
      const { stderr } = await touchstone(['run', set, ...flags, '--model', 'baseline:gold', '--dry-run'])
      expect(stderr).toMatch(/are of 2 of 32 groups, those of the dataset\. Generate a larger one/)
    }
    await touchstone(['run', set, '--count', '9', '--model', 'baseline:gold', '--out', folder.path('of-set')])
    const items = await itemsOf(folder.path('of-set'))
    expect(Math.max(...items.map(({ id }) => Number(id.split('/').at(-1))))).toBeLessThan(40)
  })

  it('a misspelt baseline is told before anything is planned', async () => {
    const { code, stderr } = await touchstone(['run', ...demo, '--count', '9', '--model', 'baseline:randm'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/no baseline "randm" \(did you mean "random"\?\)/)])
  })
})
