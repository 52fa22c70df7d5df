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

const strict: Parser<Shared, Given, Answer> = (text, question) => unlessNegated(text, inBlock(text, question))

const MARK = '</think>'
/** Maximum blocks examined. */
const MAX_FENCES = 256

/** The last clause outside of a block that begins a line, up to the full stop that ends a line. */
function lastClause(text: string, name: string): Extraction<Answer> {
  const from = text.lastIndexOf(MARK) === -1 ? 0 : text.lastIndexOf(MARK) + MARK.length
  const starts = [...text.slice(from).matchAll(/^[ \t>`]{0,8}(?=[a-z]\w{0,63}\()/gmu)].filter(({ index, 0: blank }) =>
    text.startsWith(`${name}(`, from + index + blank.length),
  )
  const last = starts.at(-1)
  if (last === undefined) return unparsed('no clause begins a line')
  const start = from + last.index + last[0].length
  const stop = /\.[ \t`]{0,8}$/mu.exec(text.slice(start, start + MAX_ANSWER_LENGTH))
  return stop === null ? unparsed('the clause has no end') : extracted(text, start, start + stop.index + 1, 'clause')
}

/** As strict; else the last fenced block, closed or not, that defines the predicate; else the last clause. */
const lenient: Parser<Shared, Given, Answer> = (text, question: Question) => {
  const found = inBlock(text, question)
  if (found.kind === 'extracted') return unlessNegated(text, found)
  const name = askedPredicate(question.given)
  let last: Extraction<Answer> | null = null
  let fences = 0
  eachFence(text, ({ start, end }) => {
    if (fences++ < MAX_FENCES && text.slice(start, Math.min(end, start + MAX_ANSWER_LENGTH)).includes(`${name}(`))
      last = extracted(text, start, end, 'earlier-fence')
  })
  return unlessNegated(text, last ?? lastClause(text, name))
}

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
