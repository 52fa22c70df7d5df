import type { Extraction, Json, Parser } from '../../../core/index.ts'
import { locateReasoning, visibleSpans } from '../../../core/reasoning.ts'
import { lastFence } from '../../../libraries/language/fences.ts'
import { unlessNegated } from '../../../libraries/language/negation-context.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import { findCalls } from '../answers/calls.ts'
import { isOrder, type OrderAnswer, type Scrambled, type Work } from './types.ts'

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
): Extraction<OrderAnswer> => ({ kind: 'extracted', answer: { order, work: readWork(text, rules) }, rule, span })

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

const QUOTED = /\[[\d,\s"']{1,600}\]/g
const ARROWS = /\b\d{1,2}(?:\s{0,4}(?:->|→|=>)\s{0,4}\d{1,2}){1,20}(?!\s{0,4}(?:->|→|=>))/g

/** How an order may be written, the likelier first: a list of numbers, of numbers in quotes, or an arrow between numbers. */
const WRITTEN = [
  ['last-list', LIST, (text: string) => text],
  ['last-quoted-list', QUOTED, (text: string) => text.replaceAll(/["']/g, '')],
  ['last-arrows', ARROWS, (text: string) => `[${text.replaceAll(/->|→|=>/g, ',')}]`],
] as const

/** The last fenced block lists the rules themselves, each once; equal rules are matched in the order shown. */
function fromRules(text: string, rules: readonly Rule[]): Extraction<OrderAnswer> | null {
  const fence = lastFence(text)
  const calls = fence === null ? [] : findCalls(text, fence.start, fence.end)
  if (fence === null || calls.length !== rules.length) return null
  const left = new Set(rules.keys())
  const order: number[] = []
  for (const { rule } of calls) {
    const at = [...left].find((k) => rules[k]?.[0] === rule?.[0] && rules[k]?.[1] === rule?.[1])
    if (rule === null || at === undefined) return null
    left.delete(at)
    order.push(at)
  }
  return found(text, rules.length, order, 'last-rules', [fence.start, fence.end])
}

/**
 * What strict reads; else the last list outside reasoning that names every rule once, in brackets, with quotes or
 * arrows; else the rules themselves in the last fenced block.
 */
const lenient: OrderParser = (text, question) => {
  const asked = strict(text, question)
  if (asked.kind === 'extracted') return asked
  const { rules } = question.given
  for (const [name, pattern, plain] of WRITTEN)
    for (const [from, to] of visibleSpans(text, locateReasoning(text)).reverse()) {
      const part = text.slice(from, to)
      let last: { order: number[]; start: number; end: number } | null = null
      for (const match of part.matchAll(pattern)) {
        const order = listOf(plain(match[0]), rules.length)
        if (order !== null) last = { order, start: from + match.index, end: from + match.index + match[0].length }
      }
      if (last !== null) return found(text, rules.length, last.order, name, [last.start, last.end])
    }
  const named = fromRules(text, rules)
  if (named !== null) return named
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
  strict: ((text, question) => unlessNegated(text, strict(text, question))) satisfies OrderParser,
  lenient: ((text, question) => unlessNegated(text, lenient(text, question))) satisfies OrderParser,
  published,
  'published-stripped': publishedStripped,
}

/** More statements or orders than this are not read. */
const MAX = 2000
const RULE =
  '(?:(?:the )?(?:rule|program|step|replacement|index)s?[ ]?)?[#\\[(`*]{0,3}(\\d{1,2})[\\])`*]{0,3}(?: ?\\([^()\\n]{0,60}\\))?'
const RELATION = new RegExp(`${RULE}[ ]{1,3}(counter-?)?(feed|bleed)s?[ ]{1,3}(?:into )?${RULE}`, 'gi')
const BEFORE = new RegExp(
  `${RULE}[ ]{1,3}(?:must |should |has to |needs to |needs |will |is )?(?:come |be |go |run |apply |applied |happen |executed )?(?:strictly )?(before|precedes?|after|follows?)[ ]{1,3}${RULE}`,
  'gi',
)
const ORDER = /[[(]((?:\d{1,2}[ ]?(?:,|->|→|>|;)[ ]?){1,19}\d{1,2})[\])]/g

/**
 * Reads the working of a response to a reordering question: statements that one rule feeds or bleeds another or must
 * come before it, complete orders written down, and whether counter-relations are mentioned. Linear in the text.
 */
export function readWork(text: string, rules: number): Work {
  const relations: number[][] = []
  for (const match of firstMatches(text, RELATION)) {
    const [from, to] = [Number(match[1]), Number(match[4])]
    // "i counterfeeds j" means that i would feed j in the other order: the same relation of texts.
    if (from < rules && to < rules && from !== to)
      relations.push([match[3]?.toLowerCase() === 'feed' ? 1 : 2, from, to])
  }
  const precedences: number[][] = []
  for (const match of firstMatches(text, BEFORE)) {
    const [a, b] = [Number(match[1]), Number(match[3])]
    if (a >= rules || b >= rules || a === b) continue
    precedences.push(/^(?:before|precede)/i.test(match[2] as string) ? [a, b] : [b, a])
  }
  const orders = new Set<string>()
  for (const match of firstMatches(text, ORDER)) {
    const order = (match[1] as string).split(/[^\d]+/).map(Number)
    if (isOrder(order, rules)) orders.add(order.join())
  }
  return {
    relations,
    precedences,
    tried: orders.size,
    counter: /counter[- ]?(?:feed|bleed)/i.test(text),
    length: text.length,
  }
}

function* firstMatches(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  pattern.lastIndex = 0
  for (let count = 0; count < MAX; count++) {
    const match = pattern.exec(text)
    if (match === null) return
    yield match
  }
}
