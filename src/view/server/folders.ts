import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { sha256Hex, UsageError } from '../../core/index.ts'
import { RUN_FILES } from '../../runner/index.ts'

export interface ViewFolder {
  readonly kind: 'run' | 'dataset'
  /** Name in addresses: the folder's name and a hash of its path. */
  readonly id: string
  readonly path: string
}

/** Depth of the search below a path, and most folders shown. */
const DEPTH = 2
const MAX = 500

/** The run and dataset folders at or below the paths, by name. @throws UsageError for a missing path */
export async function findFolders(paths: readonly string[]): Promise<readonly ViewFolder[]> {
  const found = new Map<string, ViewFolder>()
  for (const path of paths) {
    const facts = await stat(path).catch(() => null)
    if (facts === null)
      throw new UsageError(`${path} does not exist. Give run or dataset folders, or a folder that holds some`)
    if (!facts.isDirectory()) throw new UsageError(`${path} is a file: give run or dataset folders`)
    await lookInto(resolve(path), DEPTH, found)
  }
  return [...found.values()]
}

async function lookInto(path: string, depth: number, found: Map<string, ViewFolder>): Promise<void> {
  if (found.size >= MAX) return
  const kind = existsSync(join(path, RUN_FILES.run))
    ? 'run'
    : existsSync(join(path, 'manifest.json'))
      ? 'dataset'
      : null
  if (kind !== null) {
    found.set(path, { kind, id: idOf(path), path })
    return
  }
  if (depth === 0) return
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  const folders = entries.filter((entry) => entry.isDirectory() && !SKIPPED.test(entry.name)).map(({ name }) => name)
  for (const name of folders.sort()) await lookInto(join(path, name), depth - 1, found)
}

const SKIPPED = /^(?:\..*|node_modules|dist)$/u

const idOf = (path: string): string =>
  `${basename(path)
    .replaceAll(/[^\w.-]+/gu, '-')
    .slice(0, 60)}-${sha256Hex(path).slice(0, 6)}`
