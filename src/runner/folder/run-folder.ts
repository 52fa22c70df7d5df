import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Drafts of a run's files: what `writeFileAtomic` and the writer of rows leave when their process is killed. */
const DRAFT = /^(?:tmp_)?(?:(?:run|live|seal|selection)\.json|rows\.parquet)\.[0-9a-f]{8}\.partial(?:\.spill|\.\d+)?$/u

/** After so long nobody is at work on a draft any more: readers make rows too, and hold no lock. */
const ABANDONED_MS = 3_600_000

/** Whether a file of a run folder is an unfinished one, of a process that is at work or was killed. */
export const isDraft = (name: string): boolean => DRAFT.test(name)

/** Removes what killed processes left in a run folder. */
export async function removeAbandoned(dir: string, now = Date.now()): Promise<void> {
  for (const name of (await readdir(dir)).filter(isDraft)) {
    const path = join(dir, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && now - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true, recursive: true })
  }
}

/** Runs below a folder that are named. */
const NAMED = 5

/**
 * Why a path is no run folder, and which may have been meant.
 *
 * @param file - what a run folder has.
 */
export async function whyNone(path: string, file: string): Promise<string> {
  const found = await stat(path).catch(() => null)
  if (found === null) return 'there is no such folder'
  if (!found.isDirectory()) return `it is a file; the folder of a run is meant, such as ${dirname(path)}`
  const below: string[] = []
  for (const name of (await readdir(path)).sort())
    if ((await stat(join(path, name, file)).catch(() => null)) !== null) below.push(join(path, name))
  const none = `it has no ${file}`
  if (below.length === 0) return none
  return `${none}; below it are the runs ${below.slice(0, NAMED).join(', ')}${below.length > NAMED ? ', …' : ''}`
}
