import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openLab } from '../../../src/index.ts'

it('leaves a large run that is over with its rows, and one that has more to ask without', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-rows-left-'))
  const lab = await openLab({ env: {} })
  const items = { task: 'recoglab/comparison', preset: 'symbolic-distance', count: 2500 }
  const out = join(folder, 'run')
  const experiment = { items: [items], models: ['baseline:gold', 'baseline:random'] }
  const stop = new AbortController()
  const started = await lab.run({
    experiment,
    out,
    stop: stop.signal,
    onProgress: ({ done }) => done > 0 && stop.abort(),
  })
  expect(started.status).toBe('interrupted')
  expect(existsSync(join(out, 'rows.parquet'))).toBe(false)
  const { counts } = await lab.resume(out)
  expect(counts.done).toBe(5000)
  expect(existsSync(join(out, 'rows.parquet'))).toBe(true)
  rmSync(folder, { recursive: true })
})
