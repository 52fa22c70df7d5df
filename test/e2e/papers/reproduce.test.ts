import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLab } from '../../../src/lab/index.ts'
import { families } from '../../../src/tasks/index.ts'

const started = new Set<string>()
const home = mkdtempSync(join(tmpdir(), 'reproduce-'))

/** What twelve items of embedded models cannot fill: they are of one grammar, few lengths, one number of examples, and nobody counts tokens. */
const EMPTY = [
  'relic/inflection',
  'relic/figure7',
  'relic/figure13',
  'recoglab/thinking-social',
  'proficiency/criterion',
]

test('every entry that is run gives its tables', async () => {
  const lab = await openLab()
  const missing = new Set<string>()
  for (const { id, made } of families.flatMap(({ paper }) => paper?.items ?? [])) {
    if (made.by !== 'run') continue
    const out = join(home, made.experiment)
    const first = await lab.reproduce(id, { out, formats: [], ...(started.has(out) ? {} : { limit: 12 }) })
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
  expect([...missing].sort()).toEqual(EMPTY.toSorted())
}, 600_000)

test('what is computed asks nobody, and is told so', async () => {
  const lab = await openLab()
  const entries = families.flatMap(({ paper }) => paper?.items ?? []).filter(({ made }) => made.by === 'computation')
  expect(entries.map(({ id }) => id)).toContain('pbebench/figure17')
  for (const { id } of entries) {
    const { computed, made } = await lab.reproduce(id, { out: join(home, id), limit: 1000 })
    expect(made).toBeNull()
    expect(computed?.files.length, id).toBeGreaterThan(0)
    for (const { rows } of computed?.result.tables ?? []) expect(rows.length, id).toBeGreaterThan(1)
    await expect(lab.reproduce(id, { models: ['baseline:random'] })).rejects.toThrow(/no model is asked/)
  }
})
