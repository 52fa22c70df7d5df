/** A piece of TypeScript that a reader may copy, and where it stands. */
export interface Example {
  readonly path: string
  readonly line: number
  readonly code: string
}

const fence = /^(\s*)```ts\s*$/

/** The ```ts blocks of a Markdown text. */
export function ofMarkdown(path: string, text: string): Example[] {
  const found: Example[] = []
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const open = fence.exec(lines[at] ?? '')
    if (open === null) continue
    const end = lines.findIndex((line, index) => index > at && line.trim() === '```')
    if (end === -1) throw new Error(`${path}:${at + 1} opens a block that is never closed`)
    found.push({ path, line: at + 1, code: lines.slice(at + 1, end).join('\n') })
    at = end
  }
  return found
}

/** The ```ts blocks of doc comments; one that stands under `@example` without a fence counts up to the next tag. */
export function ofComments(path: string, text: string): Example[] {
  const found: Example[] = []
  for (const comment of text.matchAll(/\/\*\*[\s\S]*?\*\//g)) {
    const first = text.slice(0, comment.index).split('\n').length
    const lines = comment[0].split('\n').map((line) => line.replace(/^\s*(\/\*\*|\*\/|\*) ?/, ''))
    const body = lines.map((line) => line.replace(/\*\/$/, '')).join('\n')
    const blocks = ofMarkdown(path, body)
    found.push(...blocks.map((block) => ({ ...block, line: first + block.line - 1 })))
    const tag = lines.findIndex((line) => line.startsWith('@example'))
    if (tag === -1 || blocks.length > 0) continue
    const rest = lines.slice(tag + 1)
    const next = rest.findIndex((line) => line.startsWith('@'))
    const code = rest.slice(0, next === -1 ? rest.length - 1 : next).join('\n')
    if (code.trim() === '') throw new Error(`${path}:${first + tag} has an @example without code`)
    found.push({ path, line: first + tag, code })
  }
  return found
}
