import type { Extracted } from '../../../core/task.ts'
import { closedReader } from '../../../language/closed.ts'
import {
  firstClause,
  labelled,
  lastLine,
  linesOf,
  type Piece,
  statedOn,
  unframed,
  visiblePieces,
} from '../../../language/lines.ts'
import { lenientNumber, strictNumber } from '../../../language/numbers.ts'
import { publishedParsers } from '../common/answers.ts'
import { knownHobbies } from './prompt.ts'
import { choices, type Question } from './question.ts'

const units = ['member', 'members', 'people', 'persons']
const known = new Set<string>(knownHobbies)

const NONE = 'N/A'
const NO_LETTER = /[^a-z]/
const lettersOf = (text: string): string => unframed({ text, start: 0, end: text.length }, NO_LETTER).text
const alphabetical = (hobbies: readonly string[]): string =>
  [...new Set(hobbies)].sort((a, b) => (a < b ? -1 : 1)).join(', ')

/** "chess, hiking" (with "and"), in alphabetical order as asked, or N/A; else null. */
function hobbyList(text: string): string | null {
  if (/^(?:n\s?\/\s?a|none)$/i.test(text)) return NONE
  const parts = text
    .toLowerCase()
    .split(/\s{0,4}(?:,\s{0,4}(?:and\s)?|\sand\s)\s{0,4}/)
    .map(lettersOf)
  const said = parts.join(', ')
  return parts.every((part) => known.has(part)) && said === alphabetical(parts) ? said : null
}

function strictHobbies(text: string): Extracted<string> {
  const last = lastLine(text)
  if (last.kind === 'none') return { kind: 'unparsed', reason: last.reason }
  const stated = statedOn(last.line)
  const list = hobbyList(stated.text)
  if (list === null)
    return { kind: 'unparsed', reason: 'last line is not a list of hobbies in alphabetical order, or N/A' }
  return { kind: 'extracted', answer: list, rule: 'final-line', span: [stated.start, stated.end] }
}

/**
 * What strict reads; else the hobbies, in any order, on the last labelled line that names any, or on the last line; N/A
 * where that is said.
 */
function lenientHobbies(text: string): Extracted<string> {
  const strict = strictHobbies(text)
  if (strict.kind === 'extracted') return strict
  for (const line of labelled(text)) {
    const clause = firstClause(line)
    if (hobbyList(clause.text) === NONE)
      return { kind: 'extracted', answer: NONE, rule: 'labelled-line', span: [clause.start, clause.end] }
    const found = hobbiesOn(line, 'labelled-line')
    if (found !== null) return found
  }
  for (const piece of visiblePieces(text))
    for (const line of linesOf(piece)) {
      const found = hobbiesOn(line, 'last-hobbies')
      if (found !== null) return found
    }
  return { kind: 'unparsed', reason: 'no hobby and no N/A outside reasoning' }
}

function hobbiesOn({ text, start, end }: Piece, rule: string): Extracted<string> | null {
  const line = text.toLowerCase()
  const found = (line.match(/[a-z]+/g) ?? []).filter((word) => known.has(word))
  const none = /\bn\/a\b/.test(line)
  if (found.length === 0 && !none) return null
  return { kind: 'extracted', answer: found.length > 0 ? alphabetical(found) : NONE, rule, span: [start, end] }
}

/** "Ann Ashford" or, where the two first names differ, just "Ann"; surnames as they are. */
function named(question: Question, read: 'strict' | 'lenient', text: string): Extracted<string> {
  const full = choices(question)
  const first = question.given.ask.kind === 'older' ? full.map((name) => name.split(' ')[0] as string) : []
  const different = new Set([...full, ...first].map((name) => name.trim().toLowerCase())).size
  const short = different < full.length + first.length ? [] : first
  const found = closedReader([...full, ...short])[read](text)
  const at = found.kind === 'extracted' ? short.indexOf(found.answer) : -1
  return found.kind === 'extracted' && at !== -1 ? { ...found, answer: full[at] as string } : found
}

const reader =
  (read: 'strict' | 'lenient') =>
  (text: string, question: Question): Extracted<string> => {
    switch (question.given.ask.kind) {
      case 'size':
        return read === 'strict' ? strictNumber(text, units) : lenientNumber(text, units)
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
