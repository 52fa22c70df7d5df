import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** One exported name, as a reader of the reference sees it. */
interface Entry {
  readonly name: string
  /** Text of the comment before the declaration, without its signs; empty where there is none. */
  readonly comment: string
  /** The declaration up to its body. */
  readonly signature: string
  /** From the root of the repository. */
  readonly path: string
  readonly line: number
}

interface Manifest {
  readonly name: string
  readonly exports: { readonly [path: string]: string | { readonly 'touchstone-source'?: string } }
}

/** Pages by file name: one for each entry point of package.json, and an index. */
export function apiPages(root: string): ReadonlyMap<string, string> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  const points = Object.entries(manifest.exports).flatMap(([path, target]) => {
    const source = typeof target === 'string' ? undefined : target['touchstone-source']
    return source === undefined ? [] : [{ specifier: path.replace(/^\./, manifest.name), source }]
  })
  const pages = new Map<string, string>()
  const rows: string[] = []
  for (const { specifier, source } of points) {
    const file = `${specifier.split('/').slice(2).join('-') || 'index'}.md`.replace(/^index\.md$/, 'lab.md')
    const module = join(root, source)
    const entries = exportsOf(root, module).sort((a, b) => (a.name < b.name ? -1 : 1))
    const about = moduleComment(readFileSync(module, 'utf8'))
    pages.set(file, page(specifier, about, entries))
    rows.push(`| [${specifier}](${file}) | ${entries.length} | ${firstSentence(about)} |`)
  }
  const head = ['| import from | names | what |', '|---|---|---|', ...rows].join('\n')
  pages.set('README.md', `# API reference\n\n${MADE}\n\n${head}\n`)
  return pages
}

const MADE = 'Made from the comments of the sources by `npm run docs:api`.'

function page(specifier: string, about: string, entries: readonly Entry[]): string {
  const list = entries.map(({ name }, at) => `[${name}](#${anchor(entries, at)})`).join(', ')
  const sections = entries.map(
    ({ name, comment, signature, path, line }) =>
      `## ${name}\n\n${comment === '' ? '' : `${comment}\n\n`}\`\`\`typescript\n${signature}\n\`\`\`\n\n[${path}:${line}](../../${path})\n`,
  )
  return `# ${specifier}\n\n${about === '' ? '' : `${about}\n\n`}${list}\n\n${sections.join('\n')}`
}

/** Of names that differ in case only the later ones are numbered, as Markdown readers do. */
function anchor(entries: readonly Entry[], at: number): string {
  const name = entries[at]?.name.toLowerCase() ?? ''
  const before = entries.slice(0, at).filter((one) => one.name.toLowerCase() === name).length
  return before === 0 ? name : `${name}-${before}`
}

/** What a module exports by name, wherever it is declared. */
function exportsOf(root: string, file: string, seen: readonly string[] = []): Entry[] {
  if (seen.includes(file)) return []
  const text = readFileSync(file, 'utf8')
  const found: Entry[] = []
  for (const [, names = '', from = ''] of text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gmu)) {
    const target = from.startsWith('.') ? join(dirname(file), from) : null
    const there = target === null || !existsSync(target) ? [] : exportsOf(root, target, [...seen, file])
    for (const item of names.split(',')) {
      const [original, name = original] = item
        .trim()
        .replace(/^type /, '')
        .split(' as ')
      if (original === undefined || original === '') continue
      const entry = there.find((one) => one.name === original)
      if (entry !== undefined) found.push({ ...entry, name: name ?? original })
      else
        found.push({
          name: name ?? original,
          comment: '',
          signature: `export { ${item.trim()} } from '${from}'`,
          path: relative(root, file),
          line: 1,
        })
    }
  }
  for (const [, from = ''] of text.matchAll(/^export (?:type )?\* from '(\.[^']+)'/gmu))
    found.push(...exportsOf(root, join(dirname(file), from), [...seen, file]))
  return [...found, ...declared(root, file, text)]
}

const DECLARATION =
  /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|interface|type|class|enum) +(\w+)/gmu

function declared(root: string, file: string, text: string): Entry[] {
  return [...text.matchAll(DECLARATION)].map((match) => ({
    name: match[1] ?? '',
    comment: commentBefore(text, match.index),
    signature: signatureAt(text, match.index),
    path: relative(root, file),
    line: text.slice(0, match.index).split('\n').length,
  }))
}

/** A comment that ends right before the declaration. */
function commentBefore(text: string, at: number): string {
  const before = text.slice(0, at)
  const start = before.lastIndexOf('/**')
  if (start < 0 || !/\*\/\s*$/u.test(before) || before.indexOf('*/', start) !== before.lastIndexOf('*/')) return ''
  return clean(before.slice(start))
}

function moduleComment(text: string): string {
  const comment = /^\/\*\*[\s\S]*?\*\//u.exec(text)?.[0] ?? ''
  return comment.includes('@module') ? clean(comment) : ''
}

/** Comment signs off, tags as words, examples as blocks. */
function clean(comment: string): string {
  const lines = comment
    .replace(/^\/\*\*/u, '')
    .replace(/\*\/\s*$/u, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/u, '').trimEnd())
  const text = lines
    .join('\n')
    .replaceAll(/^@module\s*$/gmu, '')
    .trim()
  const [before = '', example] = text.split(/^@example\b.*$/mu)
  const said = before
    .trim()
    .replaceAll(/\n?@param (\S+) -? ?/gu, '\n* `$1`: ')
    .replaceAll(/\n?@returns? /gu, '\n* gives ')
    .replaceAll(/\n?@throws /gu, '\n* throws ')
  if (example === undefined) return said.trim()
  const code = example.trim()
  return `${said.trim()}\n\n${code.startsWith('```') ? code.replace(/^```ts\b/u, '```typescript') : `\`\`\`typescript\n${code}\n\`\`\``}`
}

/** Interfaces and types whole, functions and classes up to their body, constants up to their value. */
function signatureAt(text: string, at: number): string {
  const rest = text.slice(at)
  const kind =
    /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(function\*?|const|interface|type|class|enum)/u.exec(
      rest,
    )?.[1]
  if (kind === 'interface' || kind === 'enum') return rest.slice(0, endOfBlock(rest))
  if (kind === 'type') return rest.slice(0, endOfType(rest)).trimEnd()
  if (kind === 'const') return constant(rest)
  return rest.slice(0, startOfBody(rest)).trimEnd()
}

const endOfBlock = (text: string): number => {
  const end = /^\}/mu.exec(text)
  return end === null ? text.length : end.index + 1
}

/** Where the next line begins that is neither indented nor a closing sign: declarations are formatted. */
function endOfType(text: string): number {
  const lines = text.split('\n')
  let at = (lines[0]?.length ?? 0) + 1
  for (const line of lines.slice(1)) {
    if (!/^(?:\s|[\])}|&>])/u.test(line) || line === '') return at
    at += line.length + 1
  }
  return text.length
}

/** An arrow function up to its arrow, other constants up to the sign of their value. */
function constant(text: string): string {
  const whole = text.slice(0, endOfType(text)).trimEnd()
  const arrow = /=>\s*(?:\n|\{|[^\s(])/u.exec(whole)
  const typed = /^export const \w+\s*(?::[^=]*)?=\s*(?=[^\s(<]|\()/u.exec(whole)
  const isFunction = /^export const \w+[^=]*= (?:async )?(?:<[^>]*>)?\(/u.test(whole)
  if (isFunction && arrow !== null) return whole.slice(0, arrow.index).trimEnd()
  if (whole.length <= 120 && !whole.includes('\n')) return whole
  return typed === null ? (whole.split('\n')[0] ?? '') : whole.slice(0, typed[0].length).replace(/\s*=\s*$/u, '')
}

/** The brace that opens a body: the last sign of a line that is not inside parentheses or a type. */
function startOfBody(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '(' || sign === '<' || sign === '[') depth++
    else if (sign === ')' || sign === ']' || (sign === '>' && text[at - 1] !== '=')) depth--
    else if (sign === '{' && depth === 0 && text[at + 1] === '\n' && !/:\s*(?:Promise<)?$/u.test(text.slice(0, at)))
      return at
  }
  return text.length
}

const firstSentence = (text: string): string => (/^[\s\S]*?\.(?=\s|$)/u.exec(text)?.[0] ?? '').replaceAll('\n', ' ')
