import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { hashOf } from './plugin-files.ts'
import { stateFolder } from './state-folder.ts'

/**
 * The plugins that a user of this machine has named, by content. A dataset or run records the content it needs, never a path:
 * a folder from elsewhere cannot make the program load its code.
 */
const schema = z.looseObject({
  schema: z.literal('touchstone/plugins/1'),
  plugins: z.record(
    z.string(),
    z.strictObject({
      /** An absolute path, or an npm name with the folder it is resolved from. */
      module: z.string(),
      from: z.string().nullable(),
      files: z.array(z.strictObject({ path: z.string(), sha256: z.string() })).min(1),
    }),
  ),
})
type Known = z.infer<typeof schema>['plugins'][string]

const file = (): string => join(stateFolder(), 'plugins.json')

function readKnown(): { readonly [sha256: string]: Known } {
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(file(), 'utf8')))
    return parsed.success ? parsed.data.plugins : {}
  } catch {
    return {}
  }
}

/** Where the plugin with this content is; `changed`: its files have other content now. */
export type PluginLocation =
  | { readonly kind: 'known'; readonly module: string; readonly from: string | null }
  | { readonly kind: 'changed'; readonly path: string }
  | { readonly kind: 'unknown' }

/** Looks up a content without loading anything: files are compared first. */
export function findKnown(sha256: string): PluginLocation {
  const known = readKnown()[sha256]
  if (known === undefined) return { kind: 'unknown' }
  const changed = known.files.find(({ path, sha256: before }) => !existsSync(path) || hashOf(path) !== before)
  return changed === undefined ? { kind: 'known', ...known } : { kind: 'changed', path: changed.path }
}

/** Saves where a content is. Without it the next command needs --plugin again. */
export function rememberPlugin(sha256: string, known: Known): void {
  const before = readKnown()
  if (JSON.stringify(before[sha256]) === JSON.stringify(known)) return
  const path = file()
  try {
    mkdirSync(dirname(path), { recursive: true })
    const document = { schema: 'touchstone/plugins/1', plugins: { ...before, [sha256]: known } }
    writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(document, null, 1)}\n`, { mode: 0o600 })
    renameSync(`${path}.${process.pid}`, path)
  } catch {
    // A home folder that cannot be written is no reason to stop.
  }
}
