import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

const folder = scratch()
afterAll(folder.remove)
const asked = ['run', 'relic/recognize', '--preset', 'relic-demo', '--count', '40', '--model', 'baseline:gold'] as const

describe('a run of a few items', () => {
  it('says of how few groups the first ones are, and what draws from all', async () => {
    const { code, stderr } = await touchstone([...asked, '--out', folder.path('prefix')])
    expect(code).toBe(0)
    expect(stderr).toMatch(/the first 40 indices of relic\/recognize .* cover 1 of 4 groups; --count with --spread/)
  })

  it('says so however few are asked: by a limit, by a file', async () => {
    const [, ...of] = asked.filter((word) => word !== '--count' && word !== '40')
    const limited = await touchstone(['run', ...of, '--count', '20', '--out', folder.path('limited')])
    expect(limited.stderr).toMatch(/the first 20 indices of .* cover 1 of 4 groups/)
    const file = folder.path('few.yaml')
    writeFileSync(file, 'items: { task: relic/recognize, preset: relic-demo, count: 12 }\nmodels: ["baseline:gold"]\n')
    const { stderr } = await touchstone(['run', file, '--out', folder.path('of-file')])
    expect(stderr).toMatch(
      /the first 12 indices of .* cover 1 of 4 groups; subsample: \{ fraction: 0\.1 \} for a model/,
    )
  })

  it('of a set that is a first part itself says that a larger one has more groups: --spread would not reach them', async () => {
    const set = folder.path('set')
    await json(['generate', 'relic/recognize', '--preset', 'relic-demo', '--count', '40', '--out', set])
    const plan = async (...flags: readonly string[]) =>
      (await touchstone(['run', set, ...flags, '--model', 'baseline:gold', '--dry-run'])).stderr
    for (const flags of [[], ['--count', '9', '--spread']])
      expect(await plan(...flags)).toMatch(/cover 1 of 4 groups; the dataset has no others: generate a larger one/)
    expect(await plan('--count', '9')).toMatch(/cover 1 of 4 groups; --count with --spread samples/)
  })

  it('spread over a set is of all groups, about as many, and the same ones again', async () => {
    const groups = async (out: string) => {
      const { code, stderr } = await touchstone([...asked, '--spread', '--out', folder.path(out)])
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('the first')])
      const { cells } = await json<{ cells: readonly { item: { id: string; group: number } }[] }>([
        'show',
        folder.path(out),
        '--limit',
        '1000',
      ])
      return cells.map(({ item }) => item)
    }
    const items = await groups('once')
    expect(new Set(items.map(({ group }) => group)).size).toBe(4)
    // 40 of the whole by chance: five deviations.
    expect(Math.abs(items.length - 40)).toBeLessThan(5 * Math.sqrt(40))
    expect(await groups('twice')).toEqual(items)
  })

  it.each([
    [['relic/recognize', '--preset', 'relic-demo'], /needs --count/],
    [['recoglab/comparison', '--preset', 'people', '--count', '9'], /is endless/],
    [['relic/recognize', '--preset', 'relic-demo', '--count', '9', '--per-stratum', '2'], /not with --spread/],
    [['experiment.yaml'], /subsample: \{ fraction/],
  ])('%j with --spread is refused in words', async (what, message) => {
    const { code, stderr } = await touchstone(['run', ...what, '--spread', '--model', 'baseline:gold'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })

  it('a misspelt baseline is told before the set is looked at, whose size may take long to know', async () => {
    const endless = ['recoglab/comparison', '--preset', 'people', '--count', '9', '--spread'] as const
    const { code, stderr } = await touchstone(['run', ...endless, '--model', 'baseline:randm'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/no baseline "randm" \(did you mean "random"\?\)/)])
  })
})
