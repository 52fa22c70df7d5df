import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { FileTree } from '../core/index.ts'
import { explained } from './errors.ts'
import { bytesOfFile, textOfFile } from './files.ts'
import { parquetLines } from './parquet.ts'

/**
 * A folder on disk as an importer sees it: files at any depth, sorted by path; links are followed for files only, so
 * that a loop of links cannot trap it. The text of a Parquet file is its rows as JSON lines.
 *
 * @example
 * import { folderTree } from '@touchstone-eval/touchstone/node'
 *
 * export async function pathsUnder(root: string): Promise<readonly string[]> {
 *   const paths: string[] = []
 *   for await (const { path } of folderTree(root).list()) paths.push(path)
 *   return paths
 * }
 */
export function folderTree(root: string): FileTree {
  return {
    async *list() {
      yield* walk(root, '')
    },
    bytes: (path) => bytesOfFile(inside(root, path)),
    text(path) {
      const file = inside(root, path)
      return path.endsWith('.parquet') ? parquetLines(file) : textOfFile(file)
    },
  }
}

async function* walk(root: string, under: string): AsyncGenerator<{ readonly path: string; readonly bytes: number }> {
  const folder = join(root, under)
  const entries = await explained(folder, () => readdir(folder, { withFileTypes: true }))
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = under === '' ? entry.name : `${under}/${entry.name}`
    if (entry.isDirectory()) {
      yield* walk(root, path)
      continue
    }
    const facts = await stat(join(root, path)).catch(() => null)
    if (facts?.isFile() === true) yield { path, bytes: facts.size }
  }
}

function inside(root: string, path: string): string {
  if (path.startsWith('/') || path.split('/').includes('..'))
    throw new RangeError(`a path of a file tree stays inside it, got "${path}"`)
  return join(root, path.replaceAll('/', sep))
}
