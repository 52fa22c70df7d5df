import { join } from 'node:path'
import type { Overlap, OverlapOptions } from '../datasets/index.ts'
import type { Installed } from './installed.ts'

/** What a dataset is held against to find contents that both have. */
export interface OverlapRequest extends OverlapOptions {
  /** Another dataset of the same task; left out: does the fence of the one hold? */
  readonly other?: string
  /** Write the result; left out: yes. */
  readonly write?: boolean
  /** The file to write; left out: `overlap.json` in the folder. */
  readonly out?: string
}

/** Which contents two datasets share, up to renaming. @throws UsageError for datasets of two tasks. */
export async function overlapOf(here: Installed, folder: string, request: OverlapRequest): Promise<Overlap> {
  const { openDataset, overlap } = await import('../datasets/index.ts')
  const { writeFileAtomic } = await import('../store/index.ts')
  const { other, write = true, out = join(folder, 'overlap.json'), ...options } = request
  const first = await openDataset(folder)
  const second = other === undefined ? null : await openDataset(other)
  const found = await overlap(first, second, here.task(first.manifest.task), options)
  if (write) await writeFileAtomic(out, `${JSON.stringify(found, null, 1)}\n`)
  return found
}
