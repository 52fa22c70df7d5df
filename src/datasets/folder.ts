import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { UsageError } from '../core/index.ts'
import { explained, isStoreError } from '../store/index.ts'

/** The dataset card. */
export const CARD = 'README.md'

/** What the manifest says of a file beside the shards. */
export const textFacts = (text: string): { readonly bytes: number; readonly sha256: string } => ({
  bytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
})

/** A dataset gets a folder of its own. @throws UsageError where the folder holds anything. */
export async function rejectFull(out: string): Promise<void> {
  const there = await names(out)
  if (there.length === 0) return
  const what = there.includes('manifest.json')
    ? 'a dataset already'
    : there.some((name) => /^(items|groups|prompts)-\d+\./u.test(name))
      ? 'what an unfinished dataset left behind'
      : 'other files'
  throw new UsageError(`${out} holds ${what}; choose another --out, or remove it first`)
}

async function names(folder: string): Promise<readonly string[]> {
  try {
    return await explained(folder, () => readdir(folder))
  } catch (error) {
    if (!isStoreError(error) || error.code !== 'missing') throw error
    if ((error.cause as NodeJS.ErrnoException).code === 'ENOTDIR')
      throw new UsageError(`${folder} is a file; choose another --out`)
    return []
  }
}
