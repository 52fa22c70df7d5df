import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, describe, expect, it } from 'vitest'
import { schemaOf } from '../../../src/extras/postgres/index.ts'
import { startPostgres } from '../../mock/postgres.ts'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

const server = await startPostgres()
const folder = scratch()
afterAll(async () => {
  if (typeof server !== 'string') await server.stop()
  folder.remove()
})

/** What somebody with the database may do, how it is put back, and what verification says. */
const TAMPERING = [
  [
    `UPDATE response SET text = '"x' || substr(text, 2) WHERE seq = 7`,
    `UPDATE response SET text = '"' || substr(text, 3) WHERE seq = 7`,
    'the chain of responses is broken',
  ],
  [
    `UPDATE score SET outcome = replace(outcome, '"value":1', '"value":0.5')`,
    `UPDATE score SET outcome = replace(outcome, '"value":0.5', '"value":1')`,
    'its response rescored differs from the score in the ledger',
  ],
  [
    'UPDATE item SET item_hash = reverse(item_hash) WHERE position = 3',
    'UPDATE item SET item_hash = reverse(item_hash) WHERE position = 3',
    'differs from the regenerated item',
  ],
  [
    'UPDATE attempt SET usd = 0.5 WHERE call = 3; UPDATE money SET usd = 0',
    'UPDATE attempt SET usd = NULL WHERE call = 3; UPDATE money SET usd = 0',
    'booked at another price than its response says',
  ],
  [
    "UPDATE meta SET key = 'gone' WHERE key = 'tasks'",
    "UPDATE meta SET key = 'tasks' WHERE key = 'gone'",
    'the store does not say with which versions of its tasks',
  ],
  ['UPDATE money SET usd = 0.25', 'UPDATE money SET usd = 0', '$0.250000 are booked, and attempts come to $0.'],
] as const

describe.skipIf(typeof server === 'string')('a run in a store, from the command line', () => {
  const run = folder.path('run')
  const store = ['--store', typeof server === 'string' ? '' : server.url] as const

  const env = { TOUCHSTONE_STORE_URL: store[1] }
  const rowsOf = async (path: string): Promise<readonly string[]> =>
    (await touchstone(['export', path, '--to', 'rows'], env)).stdout.trim().split('\n')
  const analyses = (path: string): readonly unknown[] =>
    (JSON.parse(readFileSync(join(folder.path(path), 'report.json'), 'utf8')) as { analyses: readonly unknown[] })
      .analyses

  const behind = async (name: string, change: string): Promise<void> => {
    const sql = postgres(store[1], { max: 1, connection: { search_path: schemaOf(name) } })
    await sql.unsafe(change)
    await sql.end()
  }

  it('is planned, pushed, worked on, pulled and verified', async () => {
    const demo = ['recoglab/comparison', '--seed', '5', '--count', '40']
    const planned = await touchstone(['run', ...demo, '--model', 'baseline:gold', '--plan-only', '--out', run])
    expect(planned.code, planned.stderr).toBe(0)
    const { counts } = await json<{ counts: { pending: number } }>(['show', run])
    const all = counts.pending
    expect(all).toBe(40)
    const before = folder.path('before')
    cpSync(run, before, { recursive: true })
    expect(await json<object>(['cluster', 'push', run, ...store])).toMatchObject({ calls: all, waiting: all })
    const twice = await touchstone(['cluster', 'push', run, ...store])
    expect(twice.code).toBe(2)
    expect(twice.stderr).toContain('touchstone cluster pull')
    const where = await touchstone(['show', run])
    expect(where.stdout).toContain('touchstone cluster status')
    const early = await touchstone(['report', 'store:'], env)
    expect([early.code, early.stderr.includes('touchstone resume')]).toEqual([2, false])
    expect(early.stderr).toContain('touchstone cluster worker')
    const nobody = await touchstone(['cluster', 'worker', ...store, '--run', 'zz'])
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('begins with "zz"')])
    const { id: whole } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as { readonly id: string }
    const { runs } = await json<{ runs: readonly object[] }>([
      'cluster',
      'worker',
      ...store,
      '--run',
      whole.slice(0, 6),
    ])
    expect(runs).toMatchObject([{ status: 'completed', counts: { done: all, pending: 0 } }])
    // Read where it is, by way of a copy; nothing is taken out of the store by that.
    const stored = await rowsOf('store:')
    expect(stored.length).toBe(all)
    const again = await touchstone(['report', 'store:', '--format', 'json', '--out', folder.path('report-a')], env)
    expect(again.stderr).toContain(`0 of ${all} finished calls are new`)
    expect(again.code, again.stderr).toBe(0)
    const stands = await touchstone(['show', 'store:'], env)
    expect(stands.stdout.match(/done\s+(\d+)/u)?.[1]).toBe(String(all))
    // The copy of one run is asked for twice.
    expect((await touchstone(['compare', 'store:', 'store:'], env)).stderr).not.toContain('is working on this run')
    expect((await touchstone(['verify', 'store:'], env)).stdout).toContain(
      `${all} responses scored again, 0 mismatches`,
    )
    const copy = /^(.*?): 0 of \d+/mu.exec(again.stderr)?.[1] ?? ''
    const refused = await touchstone(['resume', copy], env)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('touchstone cluster pull')
    const open = await touchstone(['exam', 'seal', run], env)
    expect(open.code).toBe(2)
    expect(open.stderr).toContain('touchstone exam seal store:')
    expect((await touchstone(['exam', 'seal', 'store:'], env)).stderr).toContain('--out FILE')
    const seal = folder.path('seal.json')
    const { id } = await json<{ id: string }>(['exam', 'seal', 'store:', '--out', seal], env)
    expect(await json<object>(['verify', seal])).toMatchObject({ id, mismatches: 0 })
    const [name = ''] = (await json<{ runs: readonly { run: string }[] }>(['cluster', 'status', ...store])).runs.map(
      (one) => one.run,
    )
    for (const key of ['version', 'promptVersion', 'scorerVersion']) {
      await behind(name, `UPDATE meta SET value = replace(value, '"${key}":', '"${key}":9') WHERE key = 'tasks'`)
      expect((await touchstone(['verify', 'store:'], env)).stdout).toContain(`recoglab/comparison has ${key} 9`)
      await behind(name, `UPDATE meta SET value = replace(value, '"${key}":9', '"${key}":') WHERE key = 'tasks'`)
    }
    for (const [change] of TAMPERING) await behind(name, change)
    const verified = await touchstone(['verify', 'store:'], env)
    expect(verified.code).toBe(1)
    for (const [, , found] of TAMPERING) expect(verified.stdout).toContain(found)
    expect((await touchstone(['exam', 'seal', 'store:', '--out', seal], env)).stderr).toContain('is not sealed')
    for (const [, back] of TAMPERING) await behind(name, back)
    expect((await touchstone(['report', 'store:nothing'], env)).stderr).toContain('Name one: store:RUN')
    expect(await json<object>(['cluster', 'pull', run, ...store])).toMatchObject({ waiting: 0 })
    expect(await rowsOf(run)).toEqual(stored)
    await touchstone(['report', run, '--format', 'json', '--out', folder.path('report-b')])
    expect(analyses('report-a').length).toBeGreaterThan(2)
    expect(analyses('report-a')).toEqual(analyses('report-b'))
    expect(await json<object>(['verify', run])).toMatchObject({ responses: all, mismatches: 0 })
    // The same run, the same chain, the same seal, wherever it is kept.
    expect((await json<{ id: string }>(['exam', 'seal', run])).id).toBe(id)
    const empty = await touchstone(['cluster', 'worker', ...store])
    expect(empty.code).toBe(2)
    expect(empty.stderr).toContain('holds no run')
    // Pushed again, as after the database was lost: what was answered then is answered no more.
    expect(await json<object>(['cluster', 'push', before, ...store])).toMatchObject({ waiting: all })
    const anew = await touchstone(['export', 'store:', '--to', 'rows'], env)
    expect([anew.stderr, anew.stdout]).toEqual([
      expect.stringContaining('0 of 0 finished'),
      expect.not.stringContaining('"graded"'),
    ])
    expect(await json<object>(['cluster', 'pull', before, ...store])).toMatchObject({ waiting: all })
  })

  it('of a plugin is worked on by whoever has named that plugin once, by its content', async () => {
    const plugin = folder.path('parity.ts')
    cpSync(join(import.meta.dirname, '../../../examples/parity.ts'), plugin)
    const dir = folder.path('plugin-run')
    const content = ['toy/parity', '--preset', 'short', '--count', '20', '--model', 'baseline:gold']
    expect((await touchstone(['run', ...content, '--plugin', plugin, '--plan-only', '--out', dir])).code).toBe(0)
    expect(await json<object>(['cluster', 'push', dir, ...store])).toMatchObject({ calls: 20 })
    // Another machine, where nobody has named it: the database says what it is, and never where.
    const elsewhere = { ...env, TOUCHSTONE_HOME: folder.path('elsewhere') }
    for (const command of [
      ['cluster', 'worker'],
      ['verify', 'store:'],
      ['report', 'store:'],
    ]) {
      const stranger = await touchstone(command, elsewhere)
      expect([stranger.code, stranger.stderr]).toEqual([2, expect.stringContaining('Name it once: --plugin FILE')])
    }
    const { runs } = await json<{ runs: readonly object[] }>(['cluster', 'worker'], env)
    expect(runs).toMatchObject([{ status: 'completed', counts: { done: 20 } }])
    expect((await touchstone(['verify', 'store:'], env)).stdout).toContain('20 responses scored again, 0 mismatches')
    expect((await touchstone(['report', 'store:', '--out', folder.path('plugin-report')], env)).code).toBe(0)
    const named = await touchstone(['verify', 'store:', '--plugin', plugin], elsewhere)
    expect(named.stdout).toContain('0 mismatches')
    expect((await touchstone(['verify', 'store:'], elsewhere)).stdout).toContain('0 mismatches')
    // One that is not there as a whole holds no other up.
    const half = folder.path('half')
    const demo = ['recoglab/comparison', '--count', '40', '--model', 'baseline:gold']
    expect((await touchstone(['run', ...demo, '--plan-only', '--out', half])).code).toBe(0)
    await json<object>(['cluster', 'push', half, ...store])
    const { id } = JSON.parse(readFileSync(join(half, 'run.json'), 'utf8')) as { readonly id: string }
    await behind(id, "DELETE FROM meta WHERE key = 'run.json'")
    const both = await touchstone(['cluster', 'worker', '--json'], env)
    expect([both.code, both.stderr]).toEqual([
      2,
      expect.stringContaining('the push of a run in this store was interrupted'),
    ])
    expect(JSON.parse(both.stdout)).toMatchObject({
      runs: [{ counts: { done: 20 } }],
      skipped: [{ run: schemaOf(id).slice(11) }],
    })
    await json<object>(['cluster', 'pull', half, ...store])
    await json<object>(['cluster', 'pull', dir, ...store])
  })

  it('needs a store', async () => {
    const { code, stderr } = await touchstone(['cluster', 'worker'])
    expect(code).toBe(2)
    expect(stderr).toContain('TOUCHSTONE_STORE_URL')
  })
})
