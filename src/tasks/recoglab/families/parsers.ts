import type { Extracted } from '../../../core/task.ts'
import { closedReader } from '../../../language/closed.ts'
import { lastLine, statedOn } from '../../../language/lines.ts'
import { lenientNumber, strictNumber } from '../../../language/numbers.ts'
import { visibleSpans } from '../../../language/reasoning.ts'
import { publishedParsers } from '../common/answers.ts'
import { knownHobbies } from './prompt.ts'
import { choices, type Question } from './question.ts'

const units = ['member', 'members', 'people', 'persons']
const known = new Set<string>(knownHobbies)

/** "chess, hiking" (with "and", in any order, as said) as a list in the order said, or null. */
function hobbyList(text: string): string | null {
  if (/^(?:n\s?\/\s?a|none)$/i.test(text)) return 'N/A'
  const parts = text
    .toLowerCase()
    .split(/\s{0,4}(?:,\s{0,4}(?:and\s)?|\sand\s)\s{0,4}/)
    .map((part) => part.replace(/^[^a-z]+|[^a-z]+$/g, ''))
  return parts.every((part) => known.has(part)) ? parts.join(', ') : null
}

function strictHobbies(text: string): Extracted<string> {
  const last = lastLine(text)
  if (last.kind === 'none') return { kind: 'unparsed', reason: last.reason }
  const stated = statedOn(last.line)
  const list = hobbyList(stated.text)
  if (list === null) return { kind: 'unparsed', reason: 'last line is not a list of hobbies or N/A' }
  return { kind: 'extracted', answer: list, rule: 'final-line', span: [stated.start, stated.end] }
}

/** Each hobby on the last line that names any, sorted; else N/A where that is said. */
function lenientHobbies(text: string): Extracted<string> {
  const strict = strictHobbies(text)
  if (strict.kind === 'extracted') {
    const sorted =
      strict.answer === 'N/A'
        ? 'N/A'
        : [...new Set(strict.answer.split(', '))].sort((a, b) => (a < b ? -1 : 1)).join(', ')
    return { ...strict, answer: sorted }
  }
  const spans = visibleSpans(text)
  for (let i = spans.length - 1; i >= 0; i--) {
    const [from, to] = spans[i] as readonly [number, number]
    for (let end = to, lines = 0; end > from && lines < 5000; lines++) {
      const start = Math.max(from, text.lastIndexOf('\n', end - 1) + 1)
      const line = end - start > 20_000 ? '' : text.slice(start, end).toLowerCase()
      const found = [...new Set(line.match(/[a-z]+/g) ?? [])]
        .filter((word) => known.has(word))
        .sort((a, b) => (a < b ? -1 : 1))
      const none = /\bn\/a\b/.test(line)
      if (found.length > 0 || none)
        return {
          kind: 'extracted',
          answer: found.length > 0 ? found.join(', ') : 'N/A',
          rule: 'last-hobbies',
          span: [start, end],
        }
      end = start - 1
    }
  }
  return { kind: 'unparsed', reason: 'no hobby and no N/A outside reasoning' }
}

/** "Ann Ashford" or, where the two first names differ, just "Ann"; surnames as they are. */
function named(question: Question, read: 'strict' | 'lenient', text: string): Extracted<string> {
  const full = choices(question)
  const found = closedReader(full)[read](text)
  if (found.kind === 'extracted' || question.given.ask.kind !== 'older') return found
  const first = full.map((name) => name.split(' ')[0] as string)
  if (new Set(first).size < first.length) return found
  const short = closedReader(first)[read](text)
  return short.kind === 'extracted' ? { ...short, answer: full[first.indexOf(short.answer)] as string } : short
}

const reader =
  (read: 'strict' | 'lenient') =>
  (text: string, question: Question): Extracted<string> => {
    switch (question.given.ask.kind) {
      case 'size':
        return read === 'strict' ? strictNumber(text, units) : lenientNumber(text)
      case 'shared-hobbies':
        return read === 'strict' ? strictHobbies(text) : lenientHobbies(text)
      default:
        return named(question, read, text)
    }
  }

export const parsers = {
  strict: reader('strict'),
  lenient: reader('lenient'),
  ...publishedParsers,
}
