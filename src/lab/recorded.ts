import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type PluginRecord, pluginRecords } from '../core/index.ts'

/** Beyond this a manifest or run.json is left to whoever opens it. */
const MAX_SIZE = 1 << 28

/** What a dataset, run or exam says it was made with. */
export interface Recorded {
  /** The folder, the file, or the store, for messages. */
  readonly place: string
  readonly plugins: readonly PluginRecord[]
  /** The names of its tasks; null: it does not say. */
  readonly tasks: readonly string[] | null
}

interface Said {
  readonly plugins?: unknown
  readonly task?: unknown
  readonly sources?: unknown
}

/** By its folder or by the file that says so; nothing is said where nothing can be read. */
export function recordedIn(folder: string): Recorded {
  for (const path of [...['manifest.json', 'run.json'].map((name) => join(folder, name)), folder]) {
    const about = statSync(path, { throwIfNoEntry: false })
    if (about?.isFile() !== true || about.size > MAX_SIZE) continue
    try {
      const said = JSON.parse(readFileSync(path, 'utf8')) as Said | null
      const parsed = pluginRecords.safeParse(said?.plugins ?? [])
      if (parsed.success) return { place: folder, plugins: parsed.data, tasks: tasksOf(said ?? {}) }
    } catch {
      // What cannot be read is told by whoever opens the folder.
    }
  }
  return { place: folder, plugins: [], tasks: null }
}

/** A dataset and an exam have one task, a run one for each source. */
function tasksOf({ task, sources }: Said): readonly string[] | null {
  const names: readonly unknown[] = Array.isArray(sources)
    ? sources.map((source: { readonly task?: unknown } | null) => source?.task)
    : [task]
  return names.every((name) => typeof name === 'string') ? names : null
}
