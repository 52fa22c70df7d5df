import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Source } from '../../../src/core/index.ts'

/** Item hashes of a few indices: the first, one in the middle, the last. */
export function hashesOf(source: Source): readonly string[] {
  const size = source.layout.size ?? 5000
  const indices = [0, 1, 2, Math.floor(size / 2), size - 1].filter((index) => index < size)
  return indices.map((index) => source.item(index).hash)
}

/** The same, made by another process. */
export async function hashesElsewhere(task: string, preset: string): Promise<readonly string[]> {
  const script = join(import.meta.dirname, 'print-items.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, task, preset])
  return JSON.parse(stdout) as readonly string[]
}
