import { sortNames } from '../common/names.ts'
import type { Given, Mood, Proposition, Shared } from '../syllogism/question.ts'
import { asPublished, type PublishedRecord, publishedPresentation, type Read } from './records.ts'

const LINE = /^(All|No|Some) (.{1,80}?) are (not )?(.{1,80}?)\.?$/

function proposition(line: string): readonly [Mood, string, string] | null {
  const match = LINE.exec(line)
  if (match === null) return null
  const [, word, subject, not, predicate] = match as unknown as readonly [
    string,
    string,
    string,
    string | undefined,
    string,
  ]
  if (not !== undefined && word !== 'Some') return null
  const mood: Mood = word === 'All' ? 'A' : word === 'No' ? 'E' : not === undefined ? 'I' : 'O'
  return [mood, subject, predicate]
}

/** Syllogism records: premises, a question, four options over one pair of terms. */
export function toSyllogism(record: PublishedRecord): Read<Shared, Given, string> {
  const lines = record.question.split('\n').map((line) => proposition(line.trim()))
  const read = lines.filter((line) => line !== null)
  if (read.length === 0) return null
  const options = read.slice(-4)
  const premises = read.slice(0, -4)
  const [first] = options
  if (first === undefined || premises.length < 1) return { kind: 'unread', reason: 'fewer than five propositions' }
  if (options.map(([mood]) => mood).join('') !== 'AEIO' || options.some(([, s, p]) => s !== first[1] || p !== first[2]))
    return { kind: 'unread', reason: 'the last four propositions are not the four options over one pair of terms' }
  const terms = sortNames([...new Set(read.flatMap(([, s, p]) => [s, p]))])
  const placed = ([mood, s, p]: readonly [Mood, string, string]): Proposition => [
    mood,
    terms.indexOf(s),
    terms.indexOf(p),
  ]
  const stated = proposition(record.answers[0] ?? '')
  return {
    kind: 'item',
    shared: asPublished,
    given: {
      terms,
      premises: premises.map(placed),
      ask: { kind: 'choose', subject: terms.indexOf(first[1]), predicate: terms.indexOf(first[2]), none: false },
      existentialImport: false,
    },
    answer: (record.answers[0] as string).replace(/\.$/, ''),
    features: {
      terms: terms.length,
      premises: premises.length,
      ask: 'choose',
      nouns: 'published',
      existentialImport: false,
      construction: 'path',
      offWay: 0,
      form: premises.map(([mood]) => mood).join(''),
      mood: stated?.[0] ?? '?',
      label: stated?.[0] ?? '?',
      ...publishedPresentation,
    },
  }
}
