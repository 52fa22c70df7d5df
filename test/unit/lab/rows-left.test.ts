import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Lab, openLab } from '../../../src/index.ts'

describe('a large run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-rows-left-'))
  const experiment = {
    items: [{ task: 'recoglab/comparison', preset: 'symbolic-distance', count: 2500 }],
    models: ['baseline:gold', 'baseline:random'],
  }
  let lab: Lab
  beforeAll(async () => {
    lab = await openLab({ env: {} })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('that is over is left with its rows, and one that has more to ask without', async () => {
    const out = join(folder, 'run')
    const stop = new AbortController()
    const started = await lab.run({
      experiment,
      out,
      stop: stop.signal,
      onProgress: ({ done }) => done > 0 && stop.abort(),
    })
    expect(started.status).toBe('interrupted')
    expect(existsSync(join(out, 'rows.parquet'))).toBe(false)
    const { counts, warnings } = await lab.resume(out)
    expect(counts.done).toBe(5000)
    expect(warnings).toEqual([])
    expect(existsSync(join(out, 'rows.parquet'))).toBe(true)
  })

  it('whose rows cannot be made is over all the same, and says why', async () => {
    const out = join(folder, 'in-the-way')
    const inTheWay = () => mkdirSync(join(out, 'rows.parquet', 'in-the-way'), { recursive: true })
    const { status, counts, warnings } = await lab.run({ experiment, out, onPlan: inTheWay })
    expect([status, counts.done]).toEqual(['completed', 5000])
    expect(warnings).toEqual([
      expect.stringMatching(
        /^every response of this run is saved, but its rows could not be written: .*rows\.parquet/u,
      ),
    ])
  })
})
