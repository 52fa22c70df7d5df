import { type CheckedStep, type CheckedSteps, type Json, optionalStep, type SolutionStep } from '../../core/index.ts'
import { type Rule, runBounded, traceCascade } from '../../libraries/rewriting/index.ts'
import { cascadeView } from './drawings.ts'
import { type Pairs, ruleText } from './types.ts'

/** A question about pairs with its truth. */
interface Solved<Given, Answer> {
  readonly given: Given
  readonly answer: Answer
}

/** What tasks share whose truth is a cascade: `rulesOf` it, and `answerOf` it as a response. */
export const cascadeProof = <Given extends Pairs, Answer>(
  rulesOf: (item: Solved<Given, Answer>) => readonly Rule[],
  answerOf: (answer: Answer) => string,
  [title, first]: readonly [title: string, first: string],
) => ({
  gold: ({ answer }: Solved<Given, Answer>) => answerOf(answer),
  /** The words after each rule, the last ones being the outputs. */
  witness: (item: Solved<Given, Answer>): Json => traceCascade(item.given.inputs, rulesOf(item)).slice(1),
  check: (item: Solved<Given, Answer>, witness: Json) => checkTrace(item.given, rulesOf(item), witness as Trace),
  solution: (item: Solved<Given, Answer>) => cascadeSolution(item.given, rulesOf(item), answerOf(item.answer)),
  drawings: (item: Solved<Given, Answer>) => [cascadeView(title, first, item.given.inputs, rulesOf(item))],
})

type Trace = readonly (readonly string[])[]

/**
 * Checks a trace letter by letter: each word must be the previous one with all occurrences of the left side replaced,
 * from the left and without overlap. No search; linear in the trace.
 */
export function checkTrace({ inputs, outputs }: Pairs, rules: readonly Rule[], trace: Trace): boolean {
  if (!Array.isArray(trace) || trace.length !== rules.length) return false
  let before = inputs
  for (const [k, rule] of rules.entries()) {
    const after = trace[k] as readonly string[]
    if (!Array.isArray(after) || after.length !== before.length) return false
    if (!before.every((word, i) => typeof after[i] === 'string' && isRewritten(word, after[i] as string, rule)))
      return false
    before = after
  }
  return before.length === outputs.length && before.every((word, i) => word === outputs[i])
}

function isRewritten(before: string, after: string, [left, right]: Rule): boolean {
  if (left === '') return false
  let at = 0
  let written = 0
  while (at < before.length) {
    if (before.startsWith(left, at)) {
      if (!after.startsWith(right, written)) return false
      at += left.length
      written += right.length
    } else {
      if (after[written] !== before[at]) return false
      at++
      written++
    }
  }
  return written === after.length
}

type Words = readonly string[]

const changes = (before: Words, after: Words): string[] =>
  before.flatMap((word, i) => (word === after[i] ? [] : [`${JSON.stringify(word)} -> ${JSON.stringify(after[i])}`]))

/** What a rule did to the words, one by one and counted. */
function describeStep(before: Words, after: Words): readonly [full: string, short: string] {
  const changed = changes(before, after)
  if (changed.length === 0) return ['no word changes', 'no word changes']
  return [changed.join(', '), changed.length === 1 ? '1 word changes' : `${changed.length} words change`]
}

/** Every rule of a cascade in turn with the words that it changes (in short: how many), then the answer. */
export function cascadeSolution({ inputs }: Pairs, rules: readonly Rule[], answer: string): readonly SolutionStep[] {
  const states = traceCascade(inputs, rules)
  const lines = rules.map((rule, k) => {
    const [full, short] = describeStep(states[k] ?? [], states[k + 1] ?? [])
    const head = `${k + 1}. ${ruleText(rule)}: `
    return optionalStep(`${head}${full}.`, `${head}${short}.`)
  })
  const reason = `In this order these rules turn every input into its output: ${rules.map(ruleText).join(', ')}.`
  return [...lines, { reason, short: null, full: null }, answer]
}

const RULE = String.raw`replace\('((?:[^'\\\n]|\\.){1,200})', '((?:[^'\\\n]|\\.){0,200})'\)`
const LINE = new RegExp(String.raw`^(\d{1,4})\. ${RULE}: ([^\n]{1,50000})\.$`, 'gmu')
const WHOLE = /^In this order these rules turn every input into its output: ([^\n]{1,50000})\.$/gmu

/** Rules between commas; null: something else stands there. Linear in the text. */
function rulesOf(text: string): readonly Rule[] | null {
  const rules: Rule[] = []
  const next = new RegExp(`${RULE}(?:, |$)`, 'uy')
  while (next.lastIndex < text.length) {
    const match = next.exec(text)
    if (match === null) return null
    rules.push(ruleOf(match[1], match[2]))
  }
  return rules
}
const ruleOf = (left = '', right = ''): Rule => [unquoted(left), unquoted(right)]
const unquoted = (text: string): string => text.replace(/\\(.)/gu, '$1')

/**
 * Lines of cascades in a text, each run on the words left by the lines before it; a line numbered 1 restarts. The last
 * line of a cascade decides where the outputs are reached, and so does a line that states all rules at once: `answerOf`
 * writes the rules as a response, or null where they are not allowed. Linear in the text: the amount of rewriting is
 * bounded, and lines beyond do not hold.
 */
export function cascadeStated(
  { inputs, outputs }: Pairs,
  text: string,
  answerOf: (rules: readonly Rule[]) => string | null,
): CheckedSteps {
  const steps: CheckedStep[] = []
  const after = rewriter(Math.max(MAX_WORK, 4 * text.length))
  const arrives = (words: Words | null): boolean => words?.every((word, i) => word === outputs[i]) === true
  const lines = [...text.matchAll(LINE)]
  let words: Words | null = inputs
  let rules: Rule[] = []
  for (const [at, line] of lines.entries()) {
    const number = Number(line[1])
    if (number === 1) [words, rules] = [inputs, []]
    const rule = ruleOf(line[2], line[3])
    const before: Words | null = words
    words = before === null ? null : after(before, rule)
    rules.push(rule)
    const last = lines[at + 1] === undefined || Number(lines[at + 1]?.[1]) === 1
    const correct = before !== null && words !== null && describeStep(before, words).includes(line[4] ?? '')
    steps.push({
      span: spanOf(line),
      holds: correct && number === rules.length,
      decides: last && arrives(words) ? answerOf(rules) : null,
    })
  }
  for (const match of text.matchAll(WHOLE)) {
    const all = rulesOf(match[1] ?? '')
    const holds = all !== null && arrives(all.reduce<Words | null>((now, rule) => now && after(now, rule), inputs))
    steps.push({ span: spanOf(match), holds, decides: holds && all !== null ? answerOf(all) : null })
  }
  return { steps: steps.sort((a, b) => a.span[0] - b.span[0]), unknown: [] }
}

const spanOf = (match: RegExpExecArray): readonly [number, number] => [match.index, match.index + match[0].length]

/** Characters of all words together, beyond which a cascade is not followed; and of all that is written in reading a text. */
const MAX = 50_000
const MAX_WORK = 4_000_000

/** Words after a rule, until `most` characters are written in all; then null. */
function rewriter(most: number): (words: Words, rule: Rule) => Words | null {
  let left = most
  return (words, rule) => {
    if (left <= 0) return null
    const ran = runBounded(words, [rule], MAX)
    left -= ran.kind === 'ran' ? sizeOf(ran.words) : MAX
    return ran.kind === 'ran' ? ran.words : null
  }
}

const sizeOf = (words: Words): number => words.reduce((sum, word) => sum + word.length + 1, 0)
