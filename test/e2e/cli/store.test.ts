import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startPostgres } from '../../mock/postgres.ts'
import { json, scratch, touchstone } from './cli.ts'

const server = await startPostgres()
const folder = scratch()
afterAll(async () => {
  if (typeof server !== 'string') await server.stop()
  folder.remove()
})

describe.skipIf(typeof server === 'string')('a run in a store, from the command line', () => {
  const run = folder.path('run')
  const store = ['--store', typeof server === 'string' ? '' : server.url] as const

  const env = { TOUCHSTONE_STORE_URL: store[1] }
  const rowsOf = async (path: string): Promise<readonly string[]> =>
    (await touchstone(['export', path, '--to', 'rows'], env)).stdout.trim().split('\n')
  const analyses = (path: string): readonly unknown[] =>
    (JSON.parse(readFileSync(join(folder.path(path), 'report.json'), 'utf8')) as { analyses: readonly unknown[] })
      .analyses

  it('is planned, pushed, worked on, pulled and verified', async () => {
    const demo = ['relic/recognize', '--preset', 'relic-demo', '--seed', '5', '--count', '40']
    const planned = await touchstone(['run', ...demo, '--model', 'baseline:cyk', '--no-ask', '--out', run])
    expect(planned.code, planned.stderr).toBe(0)
    expect(await json<object>(['push', run, ...store])).toMatchObject({ cells: 40, waiting: 40 })
    const twice = await touchstone(['push', run, ...store])
    expect(twice.code).toBe(2)
    expect(twice.stderr).toContain(`touchstone pull ${run}`)
    const where = await touchstone(['status', run])
    expect(where.stdout).toContain('touchstone worker --status')
    const { runs } = await json<{ runs: readonly object[] }>(['worker', ...store])
    expect(runs).toMatchObject([{ status: 'done', counts: { done: 40, waiting: 0 } }])
    // Read where it is, by way of a copy; nothing is taken out of the store by that.
    const stored = await rowsOf('store:')
    expect(stored.length).toBe(40)
    const again = await touchstone(['report', 'store:', '--format', 'json', '--out', folder.path('report-a')], env)
    expect(again.stderr).toContain('0 of 40 answered cells are new')
    expect(again.code, again.stderr).toBe(0)
    const stands = await touchstone(['status', 'store:'], env)
    expect(stands.stdout).toMatch(/done\s+40/u)
    expect((await touchstone(['verify', 'store:'], env)).stdout).toContain('40 responses scored anew, 0 mismatches')
    const copy = /^(.*?): 0 of 40/mu.exec(again.stderr)?.[1] ?? ''
    for (const command of ['resume', 'seal']) {
      const refused = await touchstone([command, copy], env)
      expect(refused.code).toBe(2)
      expect(refused.stderr).toContain('touchstone pull')
    }
    expect((await touchstone(['report', 'store:nothing'], env)).stderr).toContain('name one of them, store:RUN')
    expect(await json<object>(['pull', run, ...store])).toMatchObject({ waiting: 0 })
    expect(await rowsOf(run)).toEqual(stored)
    await touchstone(['report', run, '--format', 'json', '--out', folder.path('report-b')])
    expect(analyses('report-a').length).toBeGreaterThan(2)
    expect(analyses('report-a')).toEqual(analyses('report-b'))
    expect(await json<object>(['verify', run])).toMatchObject({ responses: 40, mismatches: 0 })
    const empty = await touchstone(['worker', ...store])
    expect(empty.code).toBe(2)
    expect(empty.stderr).toContain('holds no run')
  })

  it('needs a store', async () => {
    const { code, stderr } = await touchstone(['worker'])
    expect(code).toBe(2)
    expect(stderr).toContain('TOUCHSTONE_STORE_URL')
  })
})
