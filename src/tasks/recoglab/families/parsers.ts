import { memoize } from '../../../core/memo.ts'
import type { Extraction } from '../../../core/task.ts'
import type { Mention } from '../../../libraries/language/answer-runs.ts'
import { choiceParser } from '../../../libraries/language/choice-parser.ts'
import { parseFinalLine } from '../../../libraries/language/final-line.ts'
import { unframed } from '../../../libraries/language/lines.ts'
import { lenientNumber, strictNumber } from '../../../libraries/language/numbers.ts'
import { hobbies } from '../../../libraries/language/people.ts'
import { assertedList } from '../../../libraries/language/statements.ts'
import { publishedParsers } from '../common/answers.ts'
import { choices, type Given, type Question } from './question.ts'

const yesNo = choiceParser(['Yes', 'No'])
const units = ['member', 'members', 'people', 'persons']
const known = new Set<string>(hobbies)

const NONE = 'N/A'
const NO_LETTER = /[^a-z]/
const lettersOf = (text: string): string => unframed({ text, start: 0, end: text.length }, NO_LETTER).text
const alphabetical = (hobbies: readonly string[]): string =>
  [...new Set(hobbies)].sort((a, b) => (a < b ? -1 : 1)).join(', ')

/** "chess, hiking" (with "and"), in alphabetical order, or N/A; else null. */
function hobbyList(text: string): string | null {
  if (/^(?:n\s?\/\s?a|none)$/i.test(text)) return NONE
  const parts = text
    .toLowerCase()
    .split(/\s{0,4}(?:,\s{0,4}(?:and\s)?|\sand\s)\s{0,4}/)
    .map(lettersOf)
  const said = parts.join(', ')
  return parts.every((part) => known.has(part)) && said === alphabetical(parts) ? said : null
}

const strictHobbies = (text: string): Extraction<string> =>
  parseFinalLine(text, hobbyList, 'last line is not a list of hobbies in alphabetical order, or N/A')

/** As strict; else the asserted hobbies in any order ({@link assertedList}), in one run or as bullets; or N/A. */
function lenientHobbies(text: string): Extraction<string> {
  const strict = strictHobbies(text)
  if (strict.kind === 'extracted') return strict
  const said = assertedList(text, { kind: 'named', find: hobbiesIn, together: true })
  if (said.kind === 'unparsed') return said
  const hobbies = said.answer.filter((hobby) => hobby !== NONE)
  return hobbies.length > 0 && hobbies.length < said.answer.length
    ? { kind: 'unparsed', reason: 'hobbies and N/A at once' }
    : { ...said, answer: hobbies.length === 0 ? NONE : alphabetical(hobbies) }
}

function hobbiesIn(text: string): Mention[] {
  const out: Mention[] = []
  for (const { 0: word, index } of text.matchAll(/n\s?\/\s?a\b|[a-z]+/gi)) {
    const answer = /^n\s?\//i.test(word) ? NONE : word.toLowerCase()
    if (answer === NONE || known.has(answer)) out.push({ start: index, end: index + word.length, answer, faint: false })
  }
  return out
}

/** "Ann Ashford" or, where the two first names differ, just "Ann" (but not "Ann Birchley"); surnames as they are. */
const namesParser = memoize((given: Given) => {
  const full = choices({ given })
  const older = given.ask.kind === 'older'
  const first = older ? full.map((name) => name.split(' ')[0] as string) : []
  const different = new Set([...full, ...first].map((name) => name.trim().toLowerCase())).size
  const short = different < full.length + first.length ? [] : first
  const wins = older ? ['older'] : ['larger', 'bigger', 'more']
  const reader = choiceParser([...full, ...short], { wins, same: short.map((name, i) => [name, full[i] as string]) })
  return (read: 'strict' | 'lenient', text: string): Extraction<string> => {
    const found = reader[read](text)
    const at = found.kind === 'extracted' ? short.indexOf(found.answer) : -1
    return found.kind === 'extracted' && at !== -1 ? { ...found, answer: full[at] as string } : found
  }
})

const reader =
  (read: 'strict' | 'lenient') =>
  (text: string, question: Question): Extraction<string> => {
    switch (question.given.ask.kind) {
      case 'size':
        return read === 'strict' ? strictNumber(text, units) : lenientNumber(text, units)
      case 'shared-hobbies':
        return read === 'strict' ? strictHobbies(text) : lenientHobbies(text)
      case 'hobby':
        return yesNo[read](text)
      default:
        return namesParser(question.given)(read, text)
    }
  }

export const parsers = {
  strict: reader('strict'),
  lenient: reader('lenient'),
  ...publishedParsers,
}
