import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openLab } from '../../../src/lab/index.ts'
import { families } from '../../../src/tasks/index.ts'
import { nightly, sample } from '../../nightly.ts'

interface Asked {
  /** Of each experiment. */
  readonly items?: number
  /** Entries that the nightly run alone asks for. */
  readonly slow?: readonly string[]
}

/**
 * Runs small whatever a paper's atlas says is run. `empty` are what so few items of embedded models cannot fill: they are
 * of one grammar, few lengths, one number of examples, and nobody counts tokens. A file for each family: they run beside
 * one another.
 */
export function entriesGiveTheirTables(
  family: string,
  empty: readonly string[],
  { items = sample({ nightly: 12, otherwise: 5 }), slow = [] }: Asked = {},
): void {
  const home = mkdtempSync(join(tmpdir(), 'reproduce-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  test(`every entry of ${family} that is run gives its tables`, async () => {
    const lab = await openLab()
    const started = new Set<string>()
    const missing = new Set<string>()
    const entries = families.find(({ name }) => name === family)?.paper?.items ?? []
    expect(entries.length).toBeGreaterThan(5)
    for (const { id, made } of entries) {
      if (made.by !== 'run' || (!nightly && slow.includes(id))) continue
      const out = join(home, made.experiment)
      const first = await lab.reproduce(id, { out, formats: [], ...(started.has(out) ? {} : { limit: items }) })
      started.add(out)
      expect(first.made?.run.counts.failed, id).toBe(0)
      if (made.judged !== undefined) {
        expect(first.judged?.run.counts.failed, id).toBe(0)
        for (const { tables } of first.judged?.report.report.analyses ?? [])
          for (const { rows } of tables) expect(rows.length, id).toBeGreaterThan(0)
      }
      for (const { id: left, cause, reason } of [first.made, first.judged].flatMap(
        (part) => part?.report.report.leftOut ?? [],
      )) {
        expect(cause, `${left}: ${reason}`).toBe('rows')
        missing.add(left)
      }
    }
    expect([...missing].sort()).toEqual(empty.toSorted())
  }, 600_000)
}
