import { createHash } from 'node:crypto'
import { closeSync, existsSync, globSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UsageError } from '../core/index.ts'
import { importsOf, isOurs } from './resolve.ts'

/** One file of a plugin: its path, and the SHA-256 of its bytes. */
export interface PluginFile {
  readonly path: string
  readonly sha256: string
}

/** More files than any plugin needs: a folder that holds other things too. */
const MAX_FILES = 20_000

/**
 * The files that a loaded plugin consists of, its entry first: what it imports, but for other packages and this one, and what its
 * modules name beside themselves (literally `new URL('./x', import.meta.url)` and similar forms). Of a package also its
 * package.json and what it publishes.
 *
 * @throws UsageError where there are too many.
 */
export function filesOf(url: string, isPackage: boolean): readonly PluginFile[] {
  const entry = fileURLToPath(url)
  const root = packageRoot(entry)
  const found = named(entry)
  const published = isPackage ? [join(root, 'package.json'), ...publishedBy(root)] : []
  for (const path of published) found.add(path)
  if (found.size > MAX_FILES)
    throw new UsageError(
      `the plugin ${entry} has more than ${MAX_FILES} files. List the needed ones in "files" of its package.json`,
    )
  return [...found].map((path) => ({ path, sha256: hashOf(path) }))
}

/** The modules of a plugin, as far as their texts name one another: also those of one that cannot be loaded. */
export const modulesOf = (url: string): readonly string[] => {
  const entry = fileURLToPath(url)
  return [...named(entry)].filter((path) => MODULE.test(path))
}

/** A module and all that is named from it on. */
function named(entry: string): Set<string> {
  const found = new Set([entry])
  for (const path of found) {
    if (found.size > MAX_FILES) break
    for (const next of [...importsOf(pathToFileURL(path).href), ...namedIn(path)])
      if (isOwn(next, entry)) for (const file of filesAt(next, dirname(path))) found.add(file)
  }
  return found
}

/** The folder of the package that a file belongs to, or its own folder where there is none. */
export function packageRoot(path: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    // One without a name only says what kind of modules lie beside it.
    const described = join(folder, 'package.json')
    if (existsSync(described) && readFileSync(described, 'utf8').includes('"name"')) return folder
    if (folder === dirname(folder)) return dirname(path)
  }
}

/** Does an address belong to the plugin with this entry? Environment packages are others, beside an installed one too. */
const isOwn = (url: string, entry: string): boolean =>
  url.startsWith('file:') && !isOurs(url) && installedAs(fileURLToPath(url)) === installedAs(entry)

/** The folder of the installed package that a file is in; empty where it is in none. */
function installedAs(path: string): string {
  const parts = path.split(sep)
  const at = parts.lastIndexOf('node_modules')
  return at === -1 ? '' : parts.slice(0, at + (parts[at + 1]?.startsWith('@') === true ? 3 : 2)).join(sep)
}

/** A file of code. */
export const MODULE = /\.[cm]?[jt]sx?$/u
const QUOTED = String.raw`(['"\x60])(?<path>[^'"\x60$\n]+)\1`
/** How a module names a file beside itself. */
const MAX_SHOWN: readonly RegExp[] = [
  new RegExp(String.raw`new\s+URL\(\s*${QUOTED}\s*,\s*import\.meta\.url\s*,?\s*\)`, 'gu'),
  new RegExp(String.raw`import\.meta\.resolve\(\s*${QUOTED}\s*\)`, 'gu'),
  new RegExp(String.raw`\b(?:from|import|import\s*\(|require\s*\()\s*${QUOTED}`, 'gu'),
  new RegExp(String.raw`import\.meta\.dirname\s*[,+]\s*${QUOTED}\s*\)?`, 'gu'),
  /(`)\$\{import\.meta\.dirname\}(?<path>\/[^`$\n]+)`/gu,
]

/** The addresses that the text of a module names relative to itself. */
function namedIn(path: string): readonly string[] {
  if (!MODULE.test(path)) return []
  const text = readFileSync(path, 'utf8')
  const base = pathToFileURL(path).href
  return MAX_SHOWN.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ 0: whole, groups }) => {
      const named = groups?.['path'] ?? ''
      // A folder is joined with `/x`, an address of another package begins with neither.
      const inFolder = whole.includes('import.meta.dirname')
      const own = inFolder ? `.${named.startsWith('/') ? '' : '/'}${named}` : named
      const url = /^\.{1,2}\/|^\.{1,2}$/u.test(own) || whole.startsWith('new') ? URL.parse(own, base) : null
      return url?.protocol === 'file:' ? [url.href] : []
    }),
  )
}

/** The file at an address, or all in the folder there, where that is a part of the folder that it is named in. */
function filesAt(url: string, from: string): readonly string[] {
  const path = fileURLToPath(url.replace(/[?#].*$/u, ''))
  const about = statSync(path, { throwIfNoEntry: false })
  if (about?.isFile() === true) return [path]
  const inside = relative(from, path)
  return about?.isDirectory() === true && inside !== '' && !inside.startsWith('..') ? below(resolve(path)) : []
}

/** What a package publishes: what its `files` say, else all that is there. */
function publishedBy(root: string): readonly string[] {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly files?: unknown }
  if (!Array.isArray(files)) return below(root)
  const patterns = files.filter((one): one is string => typeof one === 'string')
  const at = (pattern: string): readonly string[] =>
    globSync(pattern.replace(/^(?:\.?\/)+/u, ''), { cwd: root }).flatMap((name) => {
      const path = join(root, name)
      return statSync(path).isDirectory() ? below(path) : [path]
    })
  const without = new Set(patterns.flatMap((one) => (one.startsWith('!') ? at(one.slice(1)) : [])))
  return patterns.flatMap((one) => (one.startsWith('!') ? [] : at(one))).filter((path) => !without.has(path))
}

/** All files below a folder, but for hidden ones, installed packages and what touchstone wrote there. */
function below(folder: string): readonly string[] {
  const found: string[] = []
  const open = [folder]
  for (let here = open.pop(); here !== undefined && found.length <= MAX_FILES; here = open.pop())
    for (const entry of readdirSync(here, { withFileTypes: true })) {
      const path = join(here, entry.name)
      if (entry.name.startsWith('.') || entry.name === 'package-lock.json') continue
      if (entry.isFile()) found.push(path)
      else if (entry.isDirectory() && entry.name !== 'node_modules' && !isWritten(path)) open.push(path)
    }
  return found
}

/** A run or a dataset. */
const isWritten = (folder: string): boolean =>
  ['run.json', 'manifest.json'].some((name) => {
    const path = join(folder, name)
    return existsSync(path) && readFileSync(path, 'utf8').includes('"touchstone/')
  })

/** Bytes of a file that are in memory at once. */
const PIECE = 1 << 20

export function hashOf(path: string): string {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(PIECE)
  const file = openSync(path, 'r')
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) hash.update(piece.subarray(0, read))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

/** The hash of several files: of their paths from the first one and their bytes, wherever they lie. */
export function contentHash(files: readonly PluginFile[]): string {
  const from = dirname(files[0]?.path ?? '')
  const lines = files.map(({ path, sha256 }) => `${relative(from, path).split(sep).join('/')} ${sha256}\n`)
  return createHash('sha256')
    .update(`touchstone/plugin/1\n${lines.sort().join('')}`)
    .digest('hex')
}
