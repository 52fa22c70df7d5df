import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLab } from '../../../src/index.ts'

/** A folder with a run of two embedded baselines and a dataset of the same items. */
export async function toyFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-view-'))
  const lab = await openLab()
  const content = { task: 'recoglab/comparison', preset: 'people', seed: '1' }
  const experiment = { items: [{ ...content, count: 12 }], models: ['baseline:oracle', 'baseline:random'] }
  await lab.run({ experiment, out: join(folder, 'run') })
  await lab.generate({ ...content, count: 12, out: join(folder, 'set') })
  return folder
}
