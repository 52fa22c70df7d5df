import { type Extraction, isArray, isObject, type Json } from '../../../core/index.ts'
import { visibleSpans } from '../../../core/reasoning.ts'
import { lastFence, lastFences } from '../../../libraries/language/fences.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import type { CascadeAnswer, Examples } from '../types.ts'
import { type Call, findCalls, MAX_CALLS } from './calls.ts'

const unparsed = (reason: string) => ({ kind: 'unparsed', reason }) as const

/** Longest block that is read as JSON. */
const MAX_JSON = 1 << 20

/**
 * The last fenced block outside reasoning holds a list of `replace('x', 'y')` calls and nothing else: as strings or
 * bare, in Python or JSON, with or without brackets, assignment and comments.
 */
export function strictAnswer(text: string): Extraction<CascadeAnswer> {
  const fence = lastFence(text)
  if (fence === null) return unparsed('no fenced block')
  if (!fence.closed) return unparsed('the last fenced block is not closed')
  const calls = findCalls(text, fence.start, fence.end)
  if (calls.length >= MAX_CALLS) return unparsed(`more than ${MAX_CALLS} calls`)
  if (calls.length === 0 && !/^\s*\[\s*\]\s*$/.test(text.slice(fence.start, Math.min(fence.end, fence.start + 200))))
    return unparsed('the last fenced block has no replace call')
  const rest = around(text, fence.start, fence.end, calls)
  if (!onlyList(rest)) return unparsed('the last fenced block holds more than a list of replace calls')
  return extracted(calls, 'last-block', [fence.start, fence.end])
}

/**
 * The last fenced block that holds a rule as a call (also chained, assigned, with text between them), else the last one with
 * a JSON list of pairs or arrows that are not what the words become, else one with calls that name no rule; without one,
 * the last run of calls outside reasoning. A block that checks the answer does not hide it.
 */
export function lenientAnswer(text: string, question?: Examples): Extraction<CascadeAnswer> {
  const blocks = lastFences(text)
    .reverse()
    .map(({ start, end }) => ({ start, end, calls: findCalls(text, start, end) }))
  const withRules = blocks.find(({ calls }) => calls.some(({ rule }) => rule !== null))
  if (withRules !== undefined && hasArrows(text.slice(withRules.start, withRules.end), question))
    return unparsed('some rules of the block are not replace calls')
  if (withRules !== undefined) return extracted(withRules.calls, 'block', [withRules.start, withRules.end])
  for (const { start, end } of blocks) {
    const pairs = jsonPairs(text, start, end) ?? arrows(text, start, end)
    if (pairs !== null && !areWords(pairs, question))
      return { kind: 'extracted', answer: pairs, rule: 'pairs', span: [start, end] }
  }
  const calling = blocks.find(({ calls }) => calls.length > 0)
  if (calling !== undefined) return extracted(calling.calls, 'block', [calling.start, calling.end])
  for (const [from, to] of visibleSpans(text).reverse()) {
    const run = lastRun(text, findCalls(text, from, to))
    const [first, last] = [run[0], run.at(-1)]
    if (first !== undefined && last !== undefined) return extracted(run, 'last-run', [first.start, last.end])
  }
  return unparsed('no replace call outside reasoning')
}

/**
 * Pairs of words instead of rules: all are examples, or all start with input words and some are too long for a rule.
 */
function areWords(pairs: CascadeAnswer, question: Examples | undefined): boolean {
  if (question === undefined || pairs.length === 0) return false
  const outputOf = new Map(question.inputs.map((word, i) => [word, question.outputs[i]]))
  const { side } = question.limits
  return (
    pairs.every((pair) => pair !== null && outputOf.get(pair[0]) === pair[1]) ||
    (pairs.every((pair) => pair !== null && outputOf.has(pair[0])) &&
      pairs.some((pair) => pair !== null && pair[0].length > side))
  )
}

const extracted = (
  calls: readonly Call[],
  rule: string,
  span: readonly [number, number],
): Extraction<CascadeAnswer> => ({
  kind: 'extracted',
  answer: calls.map((call) => call.rule),
  rule,
  span,
})

/** What stands before, between and after the calls. */
function around(text: string, from: number, to: number, calls: readonly Call[]): string {
  let out = ''
  let at = from
  for (const call of calls) {
    out += `${text.slice(at, call.start)} `
    at = call.end
  }
  return out + text.slice(at, to)
}

/** A line without a call is itself a rule with an arrow, and no example: the calls without it would be another cascade. */
const hasArrows = (block: string, question: Examples | undefined): boolean =>
  block.split('\n').some((line) => {
    const left = line.includes('replace') ? undefined : ARROW.exec(line.slice(0, 200).replace(/(?:#|\/\/).*$/, ''))?.[1]
    return left !== undefined && question?.inputs.includes(left) !== true
  })

/** Only punctuation of a list, comments, and at most one assignment before it. */
function onlyList(rest: string): boolean {
  const bare = rest
    .split('\n')
    .map((line) => {
      const comment = line.search(/#|\/\//)
      return comment === -1 ? line : line.slice(0, comment)
    })
    .join('\n')
    .trimStart()
  const list = bare.replace(/^[A-Za-z_]\w{0,40}[ \t]{0,4}=(?!=)/, '')
  return /^[\s,[\]()"'`“”‘’;\\]*$/.test(list)
}

/** Calls that follow one another with nothing but list punctuation, chaining or line starts between them. */
function lastRun(text: string, calls: readonly Call[]): Call[] {
  const run: Call[] = []
  for (let k = calls.length - 1; k >= 0; k--) {
    const call = calls[k] as Call
    const next = run[0]
    if (next !== undefined) {
      const gap = text.slice(call.end, next.start)
      if (gap.length > 60 || !/^[\s,[\]()"'`“”‘’;.\\*\-\d]*(?:\w{1,20}\s*=\s*\w{1,20}\.)?$/.test(gap)) break
    }
    run.unshift(call)
  }
  return run
}

const KEYS = [
  ['left', 'right'],
  ['from', 'to'],
  ['old', 'new'],
  ['source', 'target'],
  ['pattern', 'replacement'],
  ['find', 'replace'],
] as const

/** A JSON list of two-element lists or of objects with a usual pair of keys. */
function jsonPairs(text: string, from: number, to: number): CascadeAnswer | null {
  if (to - from > MAX_JSON) return null
  let value: Json
  try {
    value = JSON.parse(text.slice(from, to)) as Json
  } catch {
    return null
  }
  if (isObject(value)) value = Object.values(value).find((part) => isArray(part)) ?? null
  if (!isArray(value) || value.length > MAX_CALLS) return null
  const rules = value.map(pairOf)
  return rules.every((rule) => rule === null) && rules.length > 0 ? null : rules
}

function pairOf(item: Json): Rule | null {
  if (isArray(item)) {
    const [left, right] = item
    return item.length === 2 && typeof left === 'string' && typeof right === 'string' ? [left, right] : null
  }
  if (!isObject(item)) return null
  for (const [a, b] of KEYS) {
    const [left, right] = [item[a], item[b]]
    if (typeof left === 'string' && typeof right === 'string') return [left, right]
  }
  return null
}

const ARROW =
  /^[\s\d.)*-]{0,12}["'`“‘]?([^\s"'`“”‘’]{1,60})["'`”’]?\s{0,4}(?:->|→|=>|>)\s{0,4}["'`“‘]?([^\s"'`“”‘’]{0,60})["'`”’]?[\s,;]{0,8}$/u

/** Every line that is not blank reads `x -> y`; `∅` and `-` stand for nothing on the right. */
function arrows(text: string, from: number, to: number): CascadeAnswer | null {
  const rules: Rule[] = []
  const before = text.slice(0, to)
  for (let start = from; start < to; ) {
    const newline = before.indexOf('\n', start)
    const end = newline === -1 ? to : newline
    if (end - start > 200) return null
    const line = text.slice(start, end)
    start = end + 1
    if (line.trim() === '') continue
    const match = ARROW.exec(line)
    if (match === null || rules.length >= MAX_CALLS) return null
    const right = match[2] as string
    rules.push([match[1] as string, right === '∅' || right === '-' ? '' : right])
  }
  return rules.length === 0 ? null : rules
}
