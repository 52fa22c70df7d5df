import { spawnSync } from 'node:child_process'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
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

/** What a loaded module has asked for, as far as this process has seen. */
export const importsOf = (url: string): ReadonlySet<string> => asked.get(url) ?? new Set()

const ours = ['src/', 'dist/'].map((name) => new URL(`../../${name}`, import.meta.url).href)

/** Is it a module of this package? */
export const isOurs = (url: string): boolean => ours.some((prefix) => url.startsWith(prefix))

/** How Node begins the stack of an error that it can place: `/path/file.ts:2`. */
const PLACED = /^(?<place>(?:file:\/\/|\/|[A-Z]:\\)[^\n]*:\d+)\n/u
/** A line of a stack that is in a file. */
const FRAME = /(?:at |\()(?<place>(?:file:\/\/|\/|[A-Z]:\\)[^\s)]+:\d+):\d+/u

/**
 * What went wrong as a module was loaded, with the file and the line: Node does not say them of JavaScript that cannot be read.
 *
 * @param modules - the files that may be meant.
 */
export function whereThrown(error: unknown, modules: readonly string[]): string {
  if (!(error instanceof Error)) return String(error)
  const place =
    PLACED.exec(error.stack ?? '')?.groups?.['place'] ??
    (error.name === 'SyntaxError' ? unreadable(modules) : FRAME.exec(error.stack ?? '')?.groups?.['place'])
  return place === undefined ? error.message : `${asPath(place)}: ${error.message}`
}

/** The place of the first module that cannot be read, as Node says it where it is asked to read and do nothing else. */
function unreadable(modules: readonly string[]): string | undefined {
  for (const path of modules) {
    const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8', env: {} })
    const place = PLACED.exec(stderr)?.groups?.['place']
    if (place !== undefined) return place
  }
  return undefined
}

function asPath(place: string): string {
  const [, url, line] = /^(file:.*):(\d+)$/u.exec(place) ?? []
  return url === undefined ? place : `${fileURLToPath(url)}:${line}`
}
