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
    expect(await json<object>(['pull', run, ...store])).toMatchObject({ waiting: 0 })
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
