import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { packageName } from './package.ts'

/** Which modules each module has asked for, as far as this process has seen: what a plugin consists of is worked out from it. */
const asked = new Map<string, Set<string>>()

/** An npm name, looked up from a folder that is not ours. */
const FROM = /^touchstone-plugin:([^:]+):(.+)$/u

let registered = false

/** A plugin outside any project can import this package and zod by name: they resolve from here. */
export function watchImports(): void {
  if (registered) return
  registered = true
  const own = [packageName, 'zod']
  registerHooks({
    resolve(specifier, context, next) {
      const from = FROM.exec(specifier)
      const found = ((): ReturnType<typeof next> => {
        if (from !== null) {
          const parentURL = pathToFileURL(join(decodeURIComponent(from[1] as string), 'plugin.js')).href
          return next(from[2] as string, { ...context, parentURL })
        }
        try {
          return next(specifier, context)
        } catch (error) {
          const mine = own.some((name) => specifier === name || specifier.startsWith(`${name}/`))
          if (!mine) throw error
          return next(specifier, { ...context, parentURL: import.meta.url })
        }
      })()
      const parent = from === null ? context.parentURL : specifier
      if (parent !== undefined) asked.set(parent, (asked.get(parent) ?? new Set()).add(found.url))
      return found
    },
  })
}

/** What is imported for an npm name, as it is found from a folder. */
export const packageSpecifier = (name: string, folder: string): string =>
  `touchstone-plugin:${encodeURIComponent(folder)}:${name}`

/** Where the import of such a specifier led. */
export const resolvedUrl = (specifier: string): string | undefined => asked.get(specifier)?.values().next().value

const ours = ['src/', 'dist/'].map((name) => new URL(`../../${name}`, import.meta.url).href)

/** The folder with the package.json that a file belongs to, or its own folder where there is none. */
export function packageRoot(path: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder)) return dirname(path)
  }
}

/** One file of a plugin: its path, and the SHA-256 of its bytes. */
export interface PluginFile {
  readonly path: string
  readonly sha256: string
}

/** The files that a loaded module consists of, itself first: what it imports, but for other packages and this one. */
export function filesOf(url: string): readonly PluginFile[] {
  const root = packageRoot(fileURLToPath(url))
  const seen = new Set([url])
  for (const one of seen)
    for (const next of asked.get(one) ?? []) {
      if (!next.startsWith('file:') || ours.some((prefix) => next.startsWith(prefix))) continue
      if (relative(root, fileURLToPath(next)).split(sep).includes('node_modules')) continue
      seen.add(next)
    }
  return [...seen].map((one) => {
    const path = fileURLToPath(one)
    return { path, sha256: hashOf(path) }
  })
}

export const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** The hash of several files: of their paths from the first one and their bytes, wherever they lie. */
export function contentHash(files: readonly PluginFile[]): string {
  const from = dirname(files[0]?.path ?? '')
  const lines = files.map(({ path, sha256 }) => `${relative(from, path).split(sep).join('/')} ${sha256}\n`)
  return createHash('sha256')
    .update(`touchstone/plugin/1\n${lines.sort().join('')}`)
    .digest('hex')
}
