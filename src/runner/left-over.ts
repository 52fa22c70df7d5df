import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Drafts of a run's files: what `writeFileAtomic` leaves when its process is killed. */
const DRAFT = /^(?:run|live|seal|selection)\.json\.[0-9a-f]{8}\.partial$/u

/** After this time nobody is at work on a draft any more. */
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
