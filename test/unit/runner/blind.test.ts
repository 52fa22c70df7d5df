import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { install } from '../../../src/lab/installed.ts'
import { blindItems, createRun, executeRun, parseExperiment } from '../../../src/runner/index.ts'

it('chance and rules of thumb are told of the items that are asked, where a part of a set is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-blind-'))
  try {
    const experiment = parseExperiment({
      items: [{ task: 'recoglab/comparison', preset: 'feasibility', count: 3000 }],
      models: [{ model: 'baseline:random', subsample: { share: 0.1 } }],
    })
    const context = await (await install([], {}, [])).runContext()
    await using run = await createRun({ dir: join(folder, 'run'), experiment }, context)
    await executeRun(run, { ask: false })
    const asked = run.ledger.query('SELECT DISTINCT item FROM cell').map(({ item }) => String(item))
    expect(asked.length).toBeGreaterThan(200)
    expect(asked.length).toBeLessThan(400)
    expect([...blindItems(run).keys()].toSorted()).toEqual(asked.toSorted())
  } finally {
    rmSync(folder, { recursive: true })
  }
})
