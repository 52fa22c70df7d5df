import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

interface Report {
  readonly analyses: readonly { readonly tables: readonly { readonly rows: readonly Record<string, unknown>[] }[] }[]
}

describe('a model helped by its task', () => {
  const folder = scratch()
  afterAll(folder.remove)
  const run = folder.path('run')
  const items = ['pbebench/induce', '--preset', 'pbebench-lite', '--seed', '5', '--count', '24'] as const
  const models = ['baseline:identity', 'baseline:greedy', 'hybrid:baseline:identity', 'hybrid:baseline:greedy']

  beforeAll(async () => {
    const asked = models.flatMap((model) => ['--model', model])
    const { code, stderr } = await touchstone(['run', ...items, ...asked, '--out', run])
    expect(code, stderr).toBe(0)
  })

  it('scores as well as the model and its search together', async () => {
    const report = await json<Report>(['report', run, '--analysis', 'core/accuracy'])
    const rows = report.analyses[0]?.tables[0]?.rows ?? []
    const accuracy = Object.fromEntries(rows.map((row) => [row['model'], (row['accuracy'] as { value: number }).value]))
    expect(accuracy['baseline:identity']).toBe(0)
    expect(accuracy['hybrid:baseline:identity']).toBe(1)
    expect(accuracy['hybrid:baseline:greedy']).toBe(1)
  })

  it('is scored again from what was stored, without a change', async () => {
    expect(await json(['analyze', 'score', run])).toMatchObject({ responses: 24 * models.length, changed: 0 })
  })

  it.each([
    [
      'a task without such help',
      ['pbebench/reorder', '--preset', 'pbebench-perm'],
      'hybrid:baseline:identity',
      /hybrid/,
    ],
    ['an unknown model inside', items, 'hybrid:baseline:gredy', /greedy/],
    ['no model inside', items, 'hybrid:', /hybrid:PROVIDER:MODEL/],
  ] as const)('%s is told before the run', async (_what, args, model, message) => {
    const result = await touchstone(['run', ...args, '--model', model, '--out', folder.path('never')])
    expect(result.stderr).toMatch(message)
    expect(result.code).toBe(2)
  })
})
