import { sortNames } from '../common/names.ts'
import type { Given, Shared, Statement } from '../comparison/question.ts'
import { asPublished, type PublishedRecord, publishedPresentation, type Read } from './records.ts'

type Word = readonly [relation: 'age' | 'size' | 'weight', side: 'lesser' | 'greater']
const relationOf: { readonly [word: string]: Word } = {
  younger: ['age', 'lesser'],
  older: ['age', 'greater'],
  smaller: ['size', 'lesser'],
  larger: ['size', 'greater'],
  lighter: ['weight', 'lesser'],
  heavier: ['weight', 'greater'],
}
const STATEMENT = /^(.{1,120}?) is (younger|older|smaller|larger|lighter|heavier) than (.{1,120}?)\.?$/
const QUESTION = /^(?:Question: )?Is (.{1,120}?) (younger|older|smaller|larger|lighter|heavier) than (.{1,120}?)\?/

/** Comparison, feasibility and consistency records: "X is older than Y" a line, and a question. */
export function toComparison(record: PublishedRecord): Read<Shared, Given, string> {
  const lines = record.question.split('\n').map((line) => line.trim())
  const stated = lines
    .map((line) => (line.startsWith('Is ') ? null : STATEMENT.exec(line)))
    .filter((match) => match !== null)
  if (stated.length === 0) return null
  const asked = lines.map((line) => QUESTION.exec(line)).findLast((match) => match !== null) ?? null
  const answers = record.answers
  const consistency = answers.some((answer) => answer === 'Consistent' || answer === 'Inconsistent')
  if (asked === null && !consistency) return { kind: 'unread', reason: 'a comparison with an unknown question' }
  const entities = sortNames([
    ...new Set([
      ...stated.flatMap((m) => [m[1] as string, m[3] as string]),
      ...(asked === null ? [] : [asked[1] as string, asked[3] as string]),
    ]),
  ])
  const at = new Map(entities.map((name, i) => [name, i]))
  const position = (name: string) => at.get(name) as number
  const words = stated.map((m) => relationOf[m[2] as string] as Word)
  const [[relation]] = words as [Word]
  if (words.some(([other]) => other !== relation))
    return { kind: 'unread', reason: 'statements about two relations at once' }
  const statements = stated.map((m, i): Statement => {
    const [a, b] = [position(m[1] as string), position(m[3] as string)]
    return words[i]?.[1] === 'lesser' ? [a, b] : [b, a]
  })
  const open =
    record.metadata.get('distance') === '-1' ||
    answers.includes('Unknown') ||
    (statements.length === entities.length - 1 && !isChain(statements, entities.length))
  const given: Given = {
    relation,
    entityKind: 'strings',
    entities,
    statements,
    ask:
      asked === null
        ? { kind: 'consistency' }
        : {
            kind: 'order',
            first: position(asked[1] as string),
            second: position(asked[3] as string),
            word: (relationOf[asked[2] as string] as Word)[1],
            open,
          },
  }
  const shared: Shared = { ...asPublished, statementWords: 'random' }
  const answer = answers[0] as string
  const distance = Number(record.metadata.get('distance') ?? Number.NaN)
  return {
    kind: 'item',
    shared,
    given,
    answer,
    features: {
      entities: entities.length,
      distance: Number.isInteger(distance) && distance > 0 ? distance : 0,
      relation,
      entityKind: 'published',
      network: isChain(statements, entities.length) ? 'chain' : 'tree',
      ask: asked === null ? 'consistency' : open ? 'feasibility' : 'order',
      congruency: 'published',
      queryWord: given.ask.kind === 'order' ? given.ask.word : null,
      firstNamed: null,
      margin: null,
      minMargin: null,
      label: answer,
      ...publishedPresentation,
    },
  }
}

function isChain(statements: readonly Statement[], n: number): boolean {
  const below = new Set(statements.map(([u]) => u))
  const above = new Set(statements.map(([, v]) => v))
  return statements.length === n - 1 && below.size === n - 1 && above.size === n - 1
}
