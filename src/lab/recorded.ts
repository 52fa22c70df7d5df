import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type PluginRecord, pluginRecords } from '../core/index.ts'

/** Beyond this a manifest or run.json is left to whoever opens it. */
const LARGEST = 1 << 28

/**
 * The plugins that a dataset, run or exam says it was made with, by its folder or by the file that says so; none where it says nothing
 * that can be read.
 */
export function recordedIn(folder: string): readonly PluginRecord[] {
  for (const path of [...['manifest.json', 'run.json'].map((name) => join(folder, name)), folder]) {
    const about = statSync(path, { throwIfNoEntry: false })
    if (about?.isFile() !== true || about.size > LARGEST) continue
    try {
      const { plugins } = JSON.parse(readFileSync(path, 'utf8')) as { readonly plugins?: unknown }
      const parsed = pluginRecords.safeParse(plugins ?? [])
      if (parsed.success) return parsed.data
    } catch {
      // What cannot be read is told by whoever opens the folder.
    }
  }
  return []
}
