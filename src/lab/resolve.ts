import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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
