import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { parseSync } from 'vite'

/** Sources by their path from the repository's root, with forward slashes. */
export type Sources = ReadonlyMap<string, string>

export interface Import {
  readonly from: string
  /** What is written; undefined where it is computed. */
  readonly specifier: string | undefined
  /** The imported file of this repository, or undefined for a package or a platform module. */
  readonly file: string | undefined
  readonly typeOnly: boolean
}

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

export function readSources(root: string, folders: readonly string[]): Sources {
  const sources = new Map<string, string>()
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(ts|tsx|mts|mjs|js)$/.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      sources.set(relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8'))
    }
  }
  return sources
}

/** Every node of a file's syntax tree, parents first. */
export function* nodes(path: string, text: string): Generator<Node> {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`)
  const queue: unknown[] = [program]
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (Array.isArray(value)) queue.push(...value.filter((child) => child !== null && child !== undefined))
    else if (typeof value === 'object' && value !== null) {
      if ('type' in value && typeof value.type === 'string') yield value as Node
      queue.push(...Object.values(value).filter((child) => typeof child === 'object' && child !== null))
    }
  }
}

const known = new Map<string, { readonly text: string; readonly imports: readonly Import[] }>()

/** Static, dynamic and type imports, re-exports, and files named by `new URL('./file', import.meta.url)`; a file is read once. */
export function importsOf(from: string, text: string): readonly Import[] {
  const before = known.get(from)
  if (before?.text === text) return before.imports
  const imports = read(from, text)
  known.set(from, { text, imports })
  return imports
}

function read(from: string, text: string): Import[] {
  const found: Import[] = []
  const add = (source: unknown, typeOnly: boolean) => {
    const specifier = literal(source)
    const local = specifier !== undefined && /^\.{0,2}\//.test(specifier)
    const file = local ? posix.normalize(posix.join(posix.dirname(from), specifier)) : undefined
    found.push({ from, specifier, file, typeOnly })
  }
  for (const node of nodes(from, text)) {
    if (node.type === 'ImportDeclaration') add(node['source'], onlyTypes(node, 'importKind'))
    else if (/^Export(All|Named)Declaration$/.test(node.type) && node['source'] != null)
      add(node['source'], onlyTypes(node, 'exportKind'))
    else if (node.type === 'ImportExpression') add(node['source'], false)
    else if (node.type === 'TSImportType') add(node['source'] ?? node['argument'], true)
    else if (node.type === 'NewExpression' && isFileUrl(node)) add((node['arguments'] as Node[])[0], false)
  }
  return found
}

/** `import type {..}` and `import { type A, type B }`; a bare `import './x'` runs code. */
function onlyTypes(node: Node, kind: string): boolean {
  const specifiers = (node['specifiers'] ?? []) as Node[]
  return node[kind] === 'type' || (specifiers.length > 0 && specifiers.every((one) => one[kind] === 'type'))
}

function isFileUrl(node: Node): boolean {
  const callee = node['callee'] as Node
  const [first, base] = node['arguments'] as Node[]
  return callee['name'] === 'URL' && base?.type === 'MemberExpression' && literal(first)?.startsWith('.') === true
}

/** The text of a string literal or of a template without holes. */
export function literal(node: unknown): string | undefined {
  const value = node as Node | undefined
  if (value?.type === 'TSLiteralType') return literal(value['literal'])
  if (value?.type === 'Literal' && typeof value['value'] === 'string') return value['value']
  if (value?.type === 'TemplateLiteral' && (value['quasis'] as Node[]).length === 1) {
    const [quasi] = value['quasis'] as { value: { cooked: string } }[]
    return quasi?.value.cooked
  }
  return undefined
}
