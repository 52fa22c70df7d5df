import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { Source } from '../../../src/core/index.ts'

/** Item hashes of a few indices: the first, one in the middle, the last. */
export function hashesOf(source: Source): readonly string[] {
  const size = source.layout.size ?? 5000
  const indices = [0, 1, 2, Math.floor(size / 2), size - 1].filter((index) => index < size)
  return indices.map((index) => source.item(index).hash)
}

const printed = new Map<string, Promise<ReadonlyMap<string, readonly string[]>>>()

/** What another process, started once a task, makes of every preset. */
export function hashesElsewhere(task: string): Promise<ReadonlyMap<string, readonly string[]>> {
  let found = printed.get(task)
  if (found === undefined) {
    found = print(task)
    printed.set(task, found)
  }
  return found
}

function print(task: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const script = join(import.meta.dirname, 'print-items.ts')
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script, task], { maxBuffer: 1 << 26 }, (error, stdout) => {
      if (error === null) resolve(new Map(JSON.parse(stdout) as [string, readonly string[]][]))
      else reject(error)
    })
  })
}
