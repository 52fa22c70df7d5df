import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/core/index.ts'
import { loadEnvironment } from '../../../src/lab/environment.ts'
import { createRun, executeRun, loadReferences, parseExperiment, type Run } from '../../../src/runner/index.ts'

it('chance and rules of thumb are told of the items that are asked, where a part of a set is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-blind-'))
  try {
    const experiment = parseExperiment({
      items: [{ task: 'recoglab/comparison', preset: 'feasibility', count: 3000 }],
      models: [{ model: 'baseline:random', subsample: { fraction: 0.1 } }],
    })
    const context = await (await loadEnvironment([], {}, [])).runContext()
    await using run = await createRun({ dir: join(folder, 'run'), experiment }, context)
    await executeRun(run, { planOnly: true })
    const asked = run.ledger.query('SELECT DISTINCT item FROM call').map(({ item }) => String(item))
    expect(asked.length).toBeGreaterThan(200)
    expect(asked.length).toBeLessThan(400)
    expect([...(await loadReferences(run)).keys()].toSorted()).toEqual(asked.toSorted())
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe('the items that are looked at', () => {
  /** Ids of items that `blindItems` reads, of a ledger that holds nothing else of them. */
  async function read(
    items: readonly { readonly id: string; readonly task: string; readonly leaf: string; readonly asked: boolean }[],
  ) {
    const db = new DatabaseSync(':memory:')
    db.exec(
      'CREATE TABLE item (position INTEGER PRIMARY KEY, id TEXT, task TEXT, item_hash TEXT); CREATE TABLE call (item TEXT)',
    )
    for (const [ord, { id, task, leaf, asked }] of items.entries()) {
      db.prepare('INSERT INTO item VALUES (?, ?, ?, ?)').run(ord, id, task, leaf)
      if (asked) db.prepare('INSERT INTO call VALUES (?)').run(id)
    }
    db.exec('CREATE INDEX asked ON call (item)')
    const ids: string[] = []
    const ledger = {
      query: (sql: string, ...values: readonly string[]) => db.prepare(sql).all(...values),
      item: (id: string) => {
        ids.push(id)
        return null
      },
    }
    await loadReferences({ ledger, sources: {} } as unknown as Run)
    return ids
  }

  it.each([
    ['all', () => true],
    ['few', (i: number) => i % 7 === 0],
    ['none', () => false],
  ])('are those of the least hashes of each task, where %s are asked', async (_, asked) => {
    const items = Array.from({ length: 6000 }, (_, i) => ({
      id: `item ${i}`,
      task: i % 6 === 0 ? 'rare' : 'common',
      leaf: sha256Hex(String(i)),
      asked: asked(i),
    }))
    const least = (task: string) =>
      items
        .filter((item) => item.task === task && item.asked)
        .sort((a, b) => (a.leaf < b.leaf ? -1 : 1))
        .slice(0, 1000)
    const wanted = new Set([...least('rare'), ...least('common')].map(({ id }) => id))
    expect(await read(items)).toEqual(items.filter(({ id }) => wanted.has(id)).map(({ id }) => id))
  })

  it('are none of a run without items', () => expect(read([])).resolves.toEqual([]))
})
