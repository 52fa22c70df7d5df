import { afterAll, describe, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

interface Result {
  readonly status: string
  readonly counts: { readonly done: number }
  readonly adapt: { readonly models: readonly { readonly end: string; readonly steps: readonly object[] }[] }
}
interface Report {
  readonly headline: readonly string[]
  readonly analyses: readonly {
    readonly title: string
    readonly tables: readonly { readonly rows: readonly { readonly x50?: { readonly value: number } }[] }[]
  }[]
}

describe('a run that chooses what it asks', () => {
  const folder = scratch()
  afterAll(folder.remove)
  const dir = folder.path('run')
  const items = ['recoglab/comparison', '--preset', 'symbolic-distance', '--set', 'maxDistance=5', '--count', '400']
  const asked = ['run', ...items, '--model', 'baseline:one-hop']

  it('finds where a model breaks, says that it was adaptive, and asks no more when it is resumed', async () => {
    const rule = ['--adapt', 'distance', '--until', 'x50 width<3', '--max-items', '200', '--out', dir]
    const result = await json<Result>([...asked, ...rule])
    // One hop: who looks at single statements knows neighbours and nothing beyond.
    expect(result).toMatchObject({ status: 'stopped-early', adapt: { models: [{ end: 'precise' }] } })
    expect(result.counts.done).toBeLessThan(200)
    const report = await json<Report>(['report', dir, '--analysis', 'core/adaptive'])
    expect(report.headline.join(' ')).toMatch(
      /Adaptive run over distance: 1 of 1 model as precise as requested.* 50 % thresholds: .*one-hop \(baseline\) \d\.\d/u,
    )
    const x50 = report.analyses[0]?.tables[0]?.rows[0]?.x50?.value ?? Number.NaN
    expect(x50 > 1 && x50 < 2.5).toBe(true)
    expect(report.analyses[0]?.tables[2]?.rows).toHaveLength(result.adapt.models[0]?.steps.length ?? 0)
    expect(await json<Result>(['resume', dir])).toEqual(result)
  })

  it('refuses flags that make no sense together', async () => {
    const out = ['--out', folder.path('none')]
    const [shape, alpha, most] = await Promise.all([
      touchstone([...asked, '--adapt', 'distance=1..', ...out]),
      touchstone([...asked, '--adapt', 'distance', '--alpha', '0.01', ...out]),
      touchstone([...asked, '--max-items', '10', ...out]),
    ])
    expect([shape.code, shape.stderr]).toEqual([2, expect.stringContaining('expected PARAM, PARAM=FROM..TO')])
    expect([alpha.code, alpha.stderr]).toEqual([2, expect.stringContaining('--alpha: not with --adapt')])
    expect([most.code, most.stderr]).toEqual([2, expect.stringContaining('--max-items: only with --adapt')])
  })
})
