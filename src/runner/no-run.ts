import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Runs below a folder that are named. */
const MAX_SHOWN = 5

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
  return `${none}; below it are the runs ${below.slice(0, MAX_SHOWN).join(', ')}${below.length > MAX_SHOWN ? ', …' : ''}`
}
