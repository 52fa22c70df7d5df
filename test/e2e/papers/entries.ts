import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { openLab, type RunRequest } from '../../../src/lab/index.ts'
import { experimentPath } from '../../../src/lab/reproduce.ts'
import type { Report } from '../../../src/report/index.ts'
import { families } from '../../../src/tasks/index.ts'
import { nightly, sample } from '../../nightly.ts'

interface Asked {
  /** Of each experiment. */
  readonly items?: number
  /** Experiments that the nightly run alone asks for. */
  readonly slow?: readonly string[]
  /** By experiment, words of its file that take long, and those in their place: its run is made of these, but for the nightly one. */
  readonly smaller?: { readonly [experiment: string]: readonly [from: string, to: string] }
}

/**
 * Runs small whatever a paper's atlas says is run. `empty` are what so few items of embedded models cannot fill: they are
 * of few lengths and one number of examples, and nobody counts tokens. A file for each family: they run beside
 * one another.
 */
export function entriesGiveTheirTables(
  family: string,
  empty: readonly string[],
  { items = sample({ nightly: 12, otherwise: 5 }), slow = [], smaller = {} }: Asked = {},
): void {
  const home = mkdtempSync(join(tmpdir(), 'reproduce-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  test(`every entry of ${family} that is run gives its tables`, async () => {
    const lab = await openLab()
    const entries = families.find(({ name }) => name === family)?.paper?.items ?? []
    expect(entries.length).toBeGreaterThan(5)
    const asked = entries.flatMap(({ id, made }) =>
      made.by === 'run' && (nightly || !slow.includes(made.experiment))
        ? [{ id, made, out: join(home, made.experiment) }]
        : [],
    )
    const missing = new Set<string>()
    const note = (skipped: Report['skipped']) => {
      for (const { id, cause, reason } of skipped) {
        expect(cause, `${id}: ${reason}`).toBe('no-data')
        missing.add(id)
      }
    }
    for (const [out, [first, ...others]] of Map.groupBy(asked, ({ out }) => out)) {
      const change = nightly ? undefined : smaller[first?.made.experiment ?? '']
      if (change !== undefined) {
        const written = readFileSync(experimentPath(first?.made.experiment ?? ''), 'utf8')
        expect(written).toContain(change[0])
        const experiment = parse(written.replaceAll(...change)) as RunRequest['experiment']
        await lab.run({ experiment, out, count: items })
      }
      const again = others.filter(({ made }) => nightly || made.judged !== undefined)
      for (const [i, { id, made }] of [first as (typeof asked)[number], ...again].entries()) {
        const found = await lab.reproduce(id, {
          out,
          formats: [],
          ...(i === 0 && change === undefined ? { count: items } : {}),
        })
        expect(found.made?.run.counts.errors, id).toBe(0)
        note(found.made?.report.report.skipped ?? [])
        if (made.judged === undefined) continue
        expect(found.judged?.run.counts.errors, id).toBe(0)
        for (const { tables } of found.judged?.report.report.analyses ?? [])
          for (const { rows } of tables) expect(rows.length, id).toBeGreaterThan(0)
        note(found.judged?.report.report.skipped ?? [])
      }
      // What the others show of the same run, in one report.
      const only = [...new Set(others.filter((other) => !again.includes(other)).flatMap(({ made }) => made.analyses))]
      if (only.length > 0) note((await lab.report(out, { formats: [], analyses: only })).report.skipped)
    }
    expect([...missing].sort()).toEqual(empty.toSorted())
  }, 600_000)
}
