import { locateReasoning, visibleSpans } from '../../../core/reasoning.ts'
import type { Extraction, Parser } from '../../../core/task.ts'
import { eachFence, lastFence } from '../../../libraries/language/fences.ts'
import { unlessNegated } from '../../../libraries/language/negation-context.ts'
import { MAX_ANSWER_LENGTH } from '../run-rules.ts'
import { type Answer, askedPredicate, type Given, type Question, type Shared } from './question.ts'

const unparsed = (reason: string): Extraction<Answer> => ({ kind: 'unparsed', reason })

function extracted(text: string, start: number, end: number, rule: string): Extraction<Answer> {
  const raw = text.slice(start, end)
  const answer = raw.trim()
  if (answer === '') return unparsed('nothing was said')
  if (answer.length > MAX_ANSWER_LENGTH) return unparsed(`longer than ${MAX_ANSWER_LENGTH} characters`)
  const from = start + raw.indexOf(answer)
  return { kind: 'extracted', answer, rule, span: [from, from + answer.length] }
}

/** The last closed fenced block outside reasoning, if it mentions the predicate. */
const inBlock: Parser<Shared, Given, Answer> = (text, { given }) => {
  const fence = lastFence(text)
  if (fence === null) return unparsed('no fenced block')
  if (!fence.closed) return unparsed('the last fenced block is not closed')
  const found = extracted(text, fence.start, fence.end, 'fence')
  return found.kind === 'extracted' && !found.answer.includes(`${askedPredicate(given)}(`)
    ? unparsed(`the last fenced block does not define ${askedPredicate(given)}`)
    : found
}

const strict: Parser<Shared, Given, Answer> = (text, question) =>
  unlessNegated(text, withPeriods(inBlock(text, question)))

/** Maximum blocks examined. */
const MAX_FENCES = 256

/** The last clause outside of a block that begins a line, up to the full stop that ends a line. */
function lastClause(text: string, name: string): Extraction<Answer> {
  const reasoning = locateReasoning(text)
  if (reasoning.unclosed) return unparsed('the reasoning was never closed')
  const [from, to] = visibleSpans(text, reasoning).findLast((span) => /\S/.test(text.slice(...span))) ?? [
    text.length,
    text.length,
  ]
  const starts = [...text.slice(from, to).matchAll(/^[ \t>`]{0,8}(?=[a-z]\w{0,63}\()/gmu)].filter(
    ({ index, 0: blank }) => text.startsWith(`${name}(`, from + index + blank.length),
  )
  const last = starts.at(-1)
  if (last === undefined) return unparsed('no clause begins a line')
  const start = from + last.index + last[0].length
  const rest = text.slice(start, Math.min(to, start + MAX_ANSWER_LENGTH))
  return withPeriods(extracted(text, start, start + (CLAUSE.exec(rest)?.[0].length ?? 0), 'clause'))
}

/** The line of a clause and those that go on with it: after a comma and kin, indented, or begun by a comma. */
const CLAUSE = /^[^\n]*?(?:(?:(?:,|;|:-|->|\()[ \t]*\n|(?<!\.[ \t]*)\n(?=[ \t]+\S|[,;)]))[^\n]*?)*(?=[ \t`]*(?:\n|$))/u

/** The same clauses, each with the period that ends it: a clause ends before a line that begins another, and at the end. */
function withPeriods(found: Extraction<Answer>): Extraction<Answer> {
  if (found.kind === 'unparsed') return found
  const lines = found.answer.split('\n')
  const code = lines.map((line) => line.replace(/%.*$/u, '').trimEnd())
  const ended = lines.map((line, i) => {
    const own = code[i] as string
    const next = code.slice(i + 1).find((one) => one.trim() !== '')
    const isLast = next === undefined || /^[a-z]\w*\(/u.test(next)
    return own.trim() === '' || !isLast || !/[\w)\]'!]$/u.test(own) ? line : `${own}.${line.slice(own.length)}`
  })
  const answer = ended.join('\n')
  return answer.length > MAX_ANSWER_LENGTH ? found : { ...found, answer }
}

/** As strict; else the last fenced block, closed or not, that defines the predicate; else the last clause. */
const lenient: Parser<Shared, Given, Answer> = (text, question: Question) => {
  const found = inBlock(text, question)
  if (found.kind === 'extracted') return unlessNegated(text, withPeriods(found))
  const name = askedPredicate(question.given)
  let last: Extraction<Answer> | null = null
  let fences = 0
  eachFence(text, ({ start, end }) => {
    if (fences++ < MAX_FENCES && text.slice(start, Math.min(end, start + MAX_ANSWER_LENGTH)).includes(`${name}(`))
      last = withPeriods(extracted(text, start, end, 'earlier-fence'))
  })
  return unlessNegated(text, last ?? lastClause(text, name))
}

const MARK = '</think>'

/**
 * The paper's: the last fenced block of any kind, else all text after the last reasoning; unparsed: no text, or
 * unclosed reasoning.
 */
const published: Parser<Shared, Given, Answer> = (text) => {
  const fence = lastFence(text)
  if (fence !== null) return extracted(text, fence.start, fence.end, 'published')
  const closed = text.lastIndexOf(MARK)
  if (text.lastIndexOf('<think>') > closed) return unparsed('the reasoning was never closed')
  return extracted(text, closed === -1 ? 0 : closed + MARK.length, text.length, 'published')
}

export const parsers = { strict, lenient, published }
