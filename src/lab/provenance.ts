import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type PluginRecord, pluginRecords } from '../core/index.ts'

/** Larger files are not read here, bytes. */
const MAX_BYTES = 1 << 28

/** What a dataset, run or exam was made with. */
export interface Provenance {
  /** The folder, the file, or the store, for messages. */
  readonly place: string
  readonly plugins: readonly PluginRecord[]
  /** The names of its tasks; null: unknown. */
  readonly tasks: readonly string[] | null
}

interface Document {
  readonly plugins?: unknown
  readonly task?: unknown
  readonly sources?: unknown
}

/** The provenance of a folder or file; empty where it cannot be read. */
export function readProvenance(folder: string): Provenance {
  for (const path of [...['manifest.json', 'run.json'].map((name) => join(folder, name)), folder]) {
    const about = statSync(path, { throwIfNoEntry: false })
    if (about?.isFile() !== true || about.size > MAX_BYTES) continue
    try {
      const document = JSON.parse(readFileSync(path, 'utf8')) as Document | null
      const parsed = pluginRecords.safeParse(document?.plugins ?? [])
      if (parsed.success) return { place: folder, plugins: parsed.data, tasks: tasksOf(document ?? {}) }
    } catch {
      // Whoever opens the folder reports what cannot be read.
    }
  }
  return { place: folder, plugins: [], tasks: null }
}

/** A dataset and an exam have one task, a run one for each source. */
function tasksOf({ task, sources }: Document): readonly string[] | null {
  const names: readonly unknown[] = Array.isArray(sources)
    ? sources.map((source: { readonly task?: unknown } | null) => source?.task)
    : [task]
  return names.every((name) => typeof name === 'string') ? names : null
}

/** True for a run of a store: `store:RUN` (its address is in the environment), or `postgres://...#RUN`. */
export const inStore = (path: string): boolean => /^(?:store:|postgres(?:ql)?:\/\/)/u.test(path)
