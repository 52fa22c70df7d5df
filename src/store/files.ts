import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { explained } from './errors.ts'

/** Makes a folder with its parents; fails with a clear message where it cannot. */
export async function makeFolder(path: string): Promise<void> {
  await explained(path, () => make(resolve(path)))
}

/** The `recursive` of Node tries for ever where a parent is there and nothing can be made in it, as in /proc. */
async function make(path: string): Promise<void> {
  const error = await tried(path)
  if (error === null) return
  const above = dirname(path)
  if (error.code !== 'ENOENT' || above === path) throw error
  if (!(await isFolder(above))) await make(above)
  // Made, or there after all: another may have made what was missing a moment ago.
  const again = await tried(path)
  if (again !== null) throw again
}

/** Why there is no such folder now; null: there is. */
async function tried(path: string): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path)
    return null
  } catch (error) {
    // Whatever a file system says of a folder that it has: some say it is read-only.
    return (await isFolder(path)) ? null : (error as NodeJS.ErrnoException)
  }
}

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() === true

/** A name beside `path` for a file that is not finished; `replace` moves it into place. */
export const partial = (path: string): string => `${path}.${randomUUID().slice(0, 8)}.partial`

/** Moves a finished file into place and makes the move survive power loss. */
export async function replace(from: string, to: string): Promise<void> {
  await rename(from, to)
  // Some file systems cannot sync a folder; the file itself is synced already.
  const folder = await open(dirname(to), 'r').catch(() => null)
  if (folder === null) return
  await folder.sync().catch(() => undefined)
  await folder.close()
}

/** Writes a file whole or not at all: a reader sees the old bytes or the new ones. */
export async function writeFileAtomic(path: string, content: string | Uint8Array): Promise<void> {
  await explained(path, async () => {
    const draft = partial(path)
    try {
      const file = await open(draft, 'wx')
      try {
        await file.writeFile(content)
        await file.sync()
      } finally {
        await file.close()
      }
      await replace(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  })
}
