import { afterAll, describe, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

interface Result {
  readonly status: string
  readonly counts: { readonly pending: number; readonly done: number }
  readonly until: { readonly verdict: string | null; readonly interim: readonly { readonly groups: number }[] }
}
interface Report {
  readonly analyses: readonly {
    readonly id: string
    readonly title: string
    readonly tables: readonly { readonly rows: readonly object[] }[]
  }[]
}

describe('a run that stops when it knows', () => {
  const folder = scratch()
  afterAll(folder.remove)
  const asked = ['recoglab/comparison', '--count', '800', '--model', 'baseline:oracle', '--model', 'baseline:random']
  const dir = folder.path('run')

  it('asks no more than it needs, and says what it knows', async () => {
    const result = await json<Result>(['run', ...asked, '--until', 'baseline:oracle>baseline:random', '--out', dir])
    expect(result).toMatchObject({ status: 'stopped-early', until: { verdict: 'baseline:oracle > baseline:random' } })
    // The faster model waits for the slower one.
    expect(result.counts.pending).toBeGreaterThan(1200)
    expect(result.until.interim.at(-1)?.groups).toBeLessThan(200)
    const report = await json<Report>(['report', dir, '--analysis', 'core/sequential'])
    expect(report.analyses).toMatchObject([
      { id: 'core/sequential', title: expect.stringMatching(/^Stopped early: baseline:oracle > baseline:random/) },
    ])
    expect(report.analyses[0]?.tables[0]?.rows).toHaveLength(result.until.interim.length)
  })

  it('asks nothing when it is resumed, since it knows; and verifies', async () => {
    const again = await json<Result>(['resume', dir])
    expect(again).toMatchObject({ status: 'stopped-early' })
    expect(await json(['verify', dir])).toMatchObject({ mismatches: 0 })
  })

  it('ends undecided where there is nothing to know', async () => {
    const args =
      'run recoglab/comparison --count 60 --model baseline:random --model baseline:yes --check-every 20'.split(' ')
    const rule = ['--until', 'baseline:random>baseline:yes', '--out', folder.path('even')]
    const { code, stdout } = await touchstone([...args, ...rule])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /not decided: baseline:random>baseline:yes, after 60 groups, 3 interim analyses \(difference -?0\.\d+, e = /,
    )
  })

  it('stops when all intervals are narrow enough', async () => {
    const args = 'run recoglab/comparison --count 800 --model baseline:oracle --until width<0.1'.split(' ')
    const result = await json<Result>([...args, '--out', folder.path('narrow')])
    expect(result).toMatchObject({ status: 'stopped-early', until: { verdict: 'all widths < 0.1' } })
  })

  it('refuses a rule that names nobody, and a rule for a part of a run', async () => {
    const named = await touchstone(['run', ...asked, '--until', 'baseline:oracle>me', '--out', folder.path('x')])
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('no model is called "me"')])
    const part = await touchstone([
      'run',
      ...asked,
      '--until',
      'width<0.1',
      '--shard',
      '0/2',
      '--out',
      folder.path('y'),
    ])
    expect([part.code, part.stderr]).toEqual([2, expect.stringContaining('until and --shard exclude each other')])
    const bare = await touchstone(['run', ...asked, '--alpha', '0.01', '--out', folder.path('z')])
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('only with a stopping rule')])
  })
})
