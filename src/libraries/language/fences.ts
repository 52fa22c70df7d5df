import { locateReasoning, visibleSpans } from '../../core/reasoning.ts'

/** A fenced code block. Offsets into the raw text; the body ends before the newline of the closing fence. */
export interface Fence {
  /** The word after the opening fence, such as `python`, or ''. */
  readonly info: string
  readonly start: number
  readonly end: number
  readonly closed: boolean
}

/** White space and invisible characters. */
const UNSEEN = /^[\s\u00ad\u200b-\u200f\u2060\ufeff]+|[\s\u00ad\u200b-\u200f\u2060\ufeff]+$/g

const OPEN =
  /^[ \t\u00a0\u00ad\u200b-\u200f\u2060\ufeff]{0,16}(?:[-*>][ \t]{0,4})?(`{3,}(?!`)|~{3,}(?!~))[ \t]{0,8}([^\s`]{0,40})[^`]{0,200}\r?$/

/**
 * Calls `visit` for every fenced block outside reasoning blocks, in order (CommonMark: a closing fence is at least as
 * long as the opening one and of the same character; an unclosed block runs to the end). Linear in the text.
 *
 * @example
 * import { eachFence } from '@touchstone-eval/touchstone/parsers'
 *
 * const text = '```python\n[1]\n```'
 * eachFence(text, ({ info, start, end }) => console.log(info, text.slice(start, end)))
 */
export function eachFence(text: string, visit: (fence: Fence) => void): void {
  for (const [from, to] of visibleSpans(text, locateReasoning(text))) {
    // Searches end at `to`: else each span could search the whole text.
    const before = text.slice(0, to)
    let open: { readonly mark: string; readonly info: string; readonly start: number } | null = null
    for (let start = from; start <= to; ) {
      const newline = before.indexOf('\n', start)
      const end = newline === -1 ? to : newline
      const line = end - start < 400 ? text.slice(start, end) : ''
      if (open === null) {
        const match = OPEN.exec(line)
        if (match !== null) open = { mark: match[1] as string, info: match[2] as string, start: Math.min(end + 1, to) }
      } else if (closes(line, open.mark)) {
        visit({ info: open.info, start: open.start, end: Math.max(open.start, start - 1), closed: true })
        open = null
      }
      start = end + 1
    }
    if (open !== null) visit({ info: open.info, start: open.start, end: to, closed: false })
  }
}

/** True if the line consists of fence characters, at least as many as the opening fence has. */
function closes(line: string, mark: string): boolean {
  const bare = line.replaceAll(UNSEEN, '')
  if (bare.length < mark.length) return false
  for (const character of bare) if (character !== mark[0]) return false
  return true
}

/**
 * The first fenced block outside reasoning, or null.
 *
 * @example
 * import { firstFence } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(firstFence('Here:\n```json\n["a"]\n```'))
 */
export function firstFence(text: string): Fence | null {
  let first: Fence | null = null
  eachFence(text, (fence) => {
    first ??= fence
  })
  return first
}

/**
 * The last fenced block outside reasoning, or null.
 *
 * @example
 * import { lastFence } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(lastFence('```\nfirst\n```\nor\n```\nsecond\n```'))
 */
export function lastFence(text: string): Fence | null {
  let last: Fence | null = null
  eachFence(text, (fence) => {
    last = fence
  })
  return last
}

/** The last fenced blocks outside reasoning, at most 64, in order. */
export function lastFences(text: string): Fence[] {
  const fences: Fence[] = []
  eachFence(text, (fence) => {
    fences.push(fence)
    if (fences.length > 64) fences.shift()
  })
  return fences
}

/** Lines that only a program has. */
const PROGRAM =
  /^[ \t]*(?:(?:def|class|function|fn|func|public|import|const|let|var)\s+\w|from \w+ import|#include|(?:if|elif|else if|for|while|switch|try)\b[^\n]{0,200}[:{][ \t]*(?:#[^\n]*|[^\n]{0,80})?$|else[ \t]*[:{]|\}?[ \t]*else\b|return\b|print\w?[ \t]*[("'])/m

/** Offsets of the fenced blocks that hold a program rather than an answer: what it may print is not what the response says. */
export function programs(text: string): (readonly [start: number, end: number])[] {
  const out: (readonly [number, number])[] = []
  if (text.includes('```') || text.includes('~~~'))
    eachFence(text, ({ start, end }) => {
      if (PROGRAM.test(text.slice(start, Math.min(end, start + MAX_PROGRAM)))) out.push([start, end])
    })
  return out
}

const MAX_PROGRAM = 20_000

/** A text in a fence longer than every run of backticks inside, so that no response can close it. */
export function inFence(text: string): string {
  const longest = (text.match(/`+/gu) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
