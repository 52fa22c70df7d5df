import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Partial files: what `writeFileAtomic` leaves when its process is killed. */
const DRAFT = /^(?:run|live|seal|selection)\.json\.[0-9a-f]{8}\.partial$/u

/** Ms after which a partial file is abandoned. */
const ABANDONED_MS = 3_600_000

/** Is it a partial file of a process that is at work or was killed? */
export const isPartialFile = (name: string): boolean => DRAFT.test(name)

/** Removes partial files of killed processes. */
export async function removeAbandoned(dir: string, now = Date.now()): Promise<void> {
  for (const name of (await readdir(dir)).filter(isPartialFile)) {
    const path = join(dir, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && now - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true, recursive: true })
  }
}

/** Runs below a folder that a message names. */
const MAX_SHOWN = 5

/**
 * Why a path is not a run folder, and which one may have been meant.
 *
 * @param file - what a run folder has.
 */
export async function explainNoRun(path: string, file: string): Promise<string> {
  const found = await stat(path).catch(() => null)
  if (found === null) return 'there is no such folder'
  if (!found.isDirectory()) return `it is a file; the folder of a run is meant, such as ${dirname(path)}`
  const below: string[] = []
  for (const name of (await readdir(path)).sort())
    if ((await stat(join(path, name, file)).catch(() => null)) !== null) below.push(join(path, name))
  const none = `it has no ${file}`
  if (below.length === 0) return none
  return `${none}; below it are the runs ${below.slice(0, MAX_SHOWN).join(', ')}${below.length > MAX_SHOWN ? ', …' : ''}`
}
