import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { Source } from '../../../src/core/index.ts'

/** Item hashes of a few indices: the first, one in the middle, the last. */
export function hashesOf(source: Source): readonly string[] {
  const size = source.layout.size ?? 5000
  const indices = [0, 1, 2, Math.floor(size / 2), size - 1].filter((index) => index < size)
  return indices.map((index) => source.item(index).hash)
}

let printed: Promise<ReadonlyMap<string, readonly string[]>> | undefined

/** What another process, started once, makes of every preset; by `task preset`. */
export function hashesElsewhere(): Promise<ReadonlyMap<string, readonly string[]>> {
  printed ??= new Promise((resolve, reject) => {
    const script = join(import.meta.dirname, 'print-items.ts')
    execFile(process.execPath, [script], { maxBuffer: 1 << 26 }, (error, stdout) => {
      if (error === null)
        resolve(
          new Map(
            stdout
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line) as [string, readonly string[]]),
          ),
        )
      else reject(error)
    })
  })
  return printed
}
