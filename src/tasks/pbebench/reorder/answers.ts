import type { Extracted, Json, Parser } from '../../../core/index.ts'
import { unlessDenied } from '../../../language/around.ts'
import { lastFence } from '../../../language/fences.ts'
import { locateReasoning, visibleSpans } from '../../../language/reasoning.ts'
import { isOrder, type OrderAnswer, type Scrambled } from './types.ts'
import { readWork } from './work.ts'

type OrderParser = Parser<Json, Scrambled, OrderAnswer>

const LIST = /\[([\d,\s]{1,400})\]/g

function listOf(text: string, length: number): number[] | null {
  try {
    const list: unknown = JSON.parse(text)
    const order = Array.isArray(list) ? (list as number[]) : []
    return isOrder(order, length) ? order : null
  } catch {
    return null
  }
}

const found = (
  text: string,
  rules: number,
  order: readonly number[],
  rule: string,
  span: readonly [number, number],
): Extracted<OrderAnswer> => ({ kind: 'extracted', answer: { order, work: readWork(text, rules) }, rule, span })

/** The last fenced block outside reasoning is a JSON list that names every rule once. */
const strict: OrderParser = (text, { given: { rules } }) => {
  const fence = lastFence(text)
  if (fence === null) return { kind: 'unparsed', reason: 'no fenced block' }
  if (!fence.closed) return { kind: 'unparsed', reason: 'the last fenced block is not closed' }
  const body = text.slice(fence.start, Math.min(fence.end, fence.start + 2000))
  const order = listOf(body, rules.length)
  if (order === null)
    return { kind: 'unparsed', reason: `the last fenced block is no list of 0 to ${rules.length - 1}` }
  return found(text, rules.length, order, 'last-block', [fence.start, fence.end])
}

/** What strict reads; else the last bracketed list outside reasoning that names every rule once. */
const lenient: OrderParser = (text, question) => {
  const asked = strict(text, question)
  if (asked.kind === 'extracted') return asked
  const { rules } = question.given
  for (const [from, to] of visibleSpans(text, locateReasoning(text)).reverse()) {
    const part = text.slice(from, to)
    let last: { order: number[]; start: number; end: number } | null = null
    for (const match of part.matchAll(LIST)) {
      const order = listOf(match[0], rules.length)
      if (order !== null) last = { order, start: from + match.index, end: from + match.index + match[0].length }
    }
    if (last !== null) return found(text, rules.length, last.order, 'last-list', [last.start, last.end])
  }
  return { kind: 'unparsed', reason: 'no list outside reasoning names every rule once' }
}

/** The released patterns in their order; each is tried at its first match only. Repeats are written so as to be linear. */
const PUBLISHED = [
  /```json\s*(\[[\d,\s]+\])\s*```/im,
  /```\s*(\[[\d,\s]+\])\s*```/im,
  /\*\*?(?:Answer|Final|Order(?:ing)?)[:\s]*(?:\*\*?\s*)?(\[[\d,\s]+\])/im,
  /(\[[\d,\s]+\])\s*$/im,
  /(\[[\d,\s]+\])/im,
] as const

const published: OrderParser = (text, { given: { rules } }) => {
  for (const [k, pattern] of PUBLISHED.entries()) {
    const match = pattern.exec(text)
    if (match === null) continue
    const order = listOf(match[1] as string, rules.length)
    if (order !== null)
      return found(text, rules.length, order, `pattern-${k + 1}`, [match.index, match.index + match[0].length])
  }
  return { kind: 'unparsed', reason: 'none of the released patterns gives a permutation' }
}

/** The same after reasoning was cut out; without a closing tag the released code takes the response for empty. */
const publishedStripped: OrderParser = (text, question) => {
  if (!text.includes('</think>')) return { kind: 'unparsed', reason: 'no </think>: taken for an empty response' }
  let kept = ''
  let at = 0
  for (let open = text.indexOf('<think>'); open !== -1; open = text.indexOf('<think>', at)) {
    const close = text.indexOf('</think>', open)
    if (close === -1) break
    kept += text.slice(at, open)
    at = close + 8
  }
  const read = published(kept + text.slice(at), question)
  return read.kind === 'unparsed' ? read : { ...read, span: [0, text.length] }
}

export const orderParsers = {
  strict: ((text, question) => unlessDenied(text, strict(text, question))) satisfies OrderParser,
  lenient: ((text, question) => unlessDenied(text, lenient(text, question))) satisfies OrderParser,
  published,
  'published-stripped': publishedStripped,
}
