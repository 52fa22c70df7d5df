import { LruCache, type Request, type Task } from '../../core/index.ts'
import type { AuditItem } from './prepare.ts'
import { words } from './subject.ts'

/** Longest text kept of a prompt, in characters. */
const maxText = 40_000

const textOf = (request: Request): string =>
  request.kind === 'chat' ? request.messages.map((message) => message.content).join('\n') : request.text

/**
 * A prompt without what is not its own: lines that its group's first prompt has too (or, where every index is a group,
 * the set's first prompt), so that a shared grammar does not drown what is asked.
 */
export function residueOf(task: Task): (item: AuditItem) => string {
  const grouped = task.group !== undefined
  const reference = new LruCache<{ readonly index: number; readonly lines: ReadonlySet<string> }>(256)
  return (item) => {
    const text = textOf(item.request).slice(0, maxText)
    const lines = text.split('\n')
    const first = reference.get(grouped ? item.group : 0, () => ({ index: item.index, lines: new Set(lines) }))
    if (first.index !== item.index) return lines.filter((line) => !first.lines.has(line)).join('\n')
    // The first prompt has nothing to be compared with yet: what varies is what it was asked.
    const asked = new Set(words(JSON.stringify(item.given)))
    return lines.filter((line) => words(line).some((word) => asked.has(word))).join('\n')
  }
}
