import type { Stated, Step } from '../../core/index.ts'
import { type Rule, runBounded, traceCascade } from '../../rewriting/index.ts'
import { type Pairs, ruleText } from './types.ts'

/** A line of a worked cascade: its rule and which words it changed. */
interface Line {
  readonly span: readonly [start: number, end: number]
  readonly number: number
  readonly rule: Rule
  readonly changes: string
}

const said = (before: readonly string[], after: readonly string[]): string => {
  const changed = before.flatMap((word, i) =>
    word === after[i] ? [] : [`${JSON.stringify(word)} -> ${JSON.stringify(after[i])}`],
  )
  return changed.length === 0 ? 'no word changes' : changed.join(', ')
}

/** Every rule of a cascade in turn with the words that it changes, then the answer. */
export function cascadeSolution({ inputs }: Pairs, rules: readonly Rule[], answer: string): string {
  const states = traceCascade(inputs, rules)
  const lines = rules.map((rule, k) => `${k + 1}. ${ruleText(rule)}: ${said(states[k] ?? [], states[k + 1] ?? [])}.`)
  return [...lines, answer].join('\n')
}

const LINE = /^(\d{1,4})\. replace\('((?:[^'\\\n]|\\.){1,200})', '((?:[^'\\\n]|\\.){0,200})'\): ([^\n]{1,50000})\.$/gmu
const unquoted = (text: string): string => text.replace(/\\(.)/gu, '$1')

function linesOf(text: string): Line[] {
  return [...text.matchAll(LINE)].map((match) => ({
    span: [match.index, match.index + match[0].length],
    number: Number(match[1]),
    rule: [unquoted(match[2] ?? ''), unquoted(match[3] ?? '')],
    changes: match[4] ?? '',
  }))
}

/**
 * Lines of cascades in a text, each run on what the lines before it left; a line numbered 1 begins anew. The last line of a
 * cascade decides where the outputs are reached: `answerOf` writes its rules as a response would, or null where it may not hold
 * them. Linear in the text: what is rewritten in all is bounded, and lines beyond do not hold.
 */
export function cascadeStated(
  { inputs, outputs }: Pairs,
  text: string,
  answerOf: (rules: readonly Rule[]) => string | null,
): Stated {
  const steps: Step[] = []
  let words: readonly string[] | null = inputs
  let rules: Rule[] = []
  const lines = linesOf(text)
  let work = Math.max(MOST_WORK, 4 * text.length)
  for (const [at, { span, number, rule, changes }] of lines.entries()) {
    if (number === 1) [words, rules] = [inputs, []]
    const before: readonly string[] | null = words
    const after: readonly string[] | null = before === null || work <= 0 ? null : rewritten(before, rule)
    work -= sizeOf(after ?? [])
    rules.push(rule)
    const last = lines[at + 1] === undefined || lines[at + 1]?.number === 1
    const holds = before !== null && after !== null && number === rules.length && changes === said(before, after)
    const arrived = last && after?.every((word, i) => word === outputs[i]) === true
    steps.push({ span, holds, decides: arrived ? answerOf(rules) : null })
    words = after
  }
  return { steps, unknown: [] }
}

/** Characters of all words together, beyond which a cascade is not followed; and of all that is written in reading a text. */
const LARGEST = 50_000
const MOST_WORK = 4_000_000

function rewritten(words: readonly string[], rule: Rule): readonly string[] | null {
  const ran = runBounded(words, [rule], LARGEST)
  return ran.kind === 'ran' ? ran.words : null
}

const sizeOf = (words: readonly string[]): number => words.reduce((sum, word) => sum + word.length + 1, 0)
