import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { explain, explained, StoreError } from './errors.ts'

/** Makes a folder with its parents; fails with a clear message where it cannot. */
export async function makeFolder(path: string): Promise<void> {
  await explained(path, () => make(resolve(path)))
}

/** The `recursive` of Node tries for ever where a parent is there and nothing can be made in it, as in /proc. */
async function make(path: string): Promise<void> {
  if (await isFolder(path)) return
  const above = dirname(path)
  if (above !== path) await make(above)
  try {
    await mkdir(path)
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!(await isFolder(path))) throw error
  }
}

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() === true

/**
 * A folder may come from somebody else: where one of its names is a link, what is written or read by that name is elsewhere.
 * Checked once, before a folder is used.
 *
 * @throws StoreError where something in it is neither a file nor a folder. A folder that is not there has no links.
 */
export async function requireNoLinks(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await requireNoLinks(path)
    else if (!entry.isFile())
      throw new StoreError(
        'damaged',
        `${path} is ${entry.isSymbolicLink() ? 'a link' : 'no plain file'}: only files and folders may be here. Remove it, or copy what it leads to`,
      )
  }
}

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

/** The bytes of a file in pieces. @throws StoreError for a file that cannot be read */
export async function* bytesOfFile(path: string): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(path, { highWaterMark: 1 << 18 })
  try {
    for await (const piece of stream) yield piece as Uint8Array
  } catch (error) {
    throw explain(error, path)
  } finally {
    stream.destroy()
  }
}

/** The text of a file in pieces. @throws StoreError */
export async function* textOfFile(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for await (const piece of bytesOfFile(path)) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

/** Does work in a new folder in `parent`, which is removed afterwards. */
export async function inTemporaryFolder<T>(
  parent: string,
  prefix: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await makeFolder(parent)
  const folder = await explained(parent, () => mkdtemp(join(parent, prefix)))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
