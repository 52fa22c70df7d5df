import { things } from '../../../../libraries/language/objects.ts'
import { shownStatements } from '../prompt.ts'
import { choices, type Question } from '../question.ts'

/** The question's two as (said to be more, other), by the comparative in the question. */
function asked({ given }: Question): { readonly more: number; readonly other: number } | null {
  const { ask } = given
  if (ask.kind !== 'order') return null
  return ask.word === 'greater' ? { more: ask.first, other: ask.second } : { more: ask.second, other: ask.first }
}

/** Yes where the value of the one said to be more is larger; without a question about two: what `otherwise` says. */
const comparing =
  (value: (question: Question, entity: number) => number, otherwise: (question: Question) => boolean) =>
  (question: Question): string => {
    const [yes, no] = choices(question) as readonly [string, string]
    const pair = asked(question)
    if (pair === null) return otherwise(question) ? yes : no
    return value(question, pair.more) > value(question, pair.other) ? yes : no
  }

const name = (question: Question, entity: number): string => question.given.entities[entity] as string

/** How many statements contradict the order of the list. */
const against = ({ given }: Question): number => given.statements.filter(([u, v]) => u > v).length

/** Is the list order kept by (nearly) all statements or by (nearly) none? Then one exception looks like a planted one. */
const orderKept = (question: Question): boolean => against(question) === 0

const mentions = (question: Question, entity: number): number =>
  question.given.statements.filter(([u, v]) => u === entity || v === entity).length

const balanceOf = (question: Question, entity: number): number =>
  question.given.statements.reduce((sum, [u, v]) => sum + (v === entity ? 1 : 0) - (u === entity ? 1 : 0), 0)

function lastMention(question: Question, entity: number): number {
  return shownStatements(question).findLastIndex(([u, v]) => u === entity || v === entity)
}
function firstMention(question: Question, entity: number): number {
  return shownStatements(question).findIndex(([u, v]) => u === entity || v === entity)
}

/** Is a pair of entities stated twice, one way or both? */
function repeated({ given }: Question): boolean {
  const seen = new Set(given.statements.map(([u, v]) => (u < v ? `${u} ${v}` : `${v} ${u}`)))
  return seen.size < given.statements.length
}

/** How many entities are never the greater. */
function sources({ given }: Question): number {
  const greater = new Set(given.statements.map(([, v]) => v))
  return given.entities.length - greater.size
}

function realSize(question: Question, entity: number): number {
  const thing = things.all.find((t) => t.name === name(question, entity))
  const range = question.given.relation === 'weight' ? thing?.weight : thing?.size
  return range === undefined ? 0 : range[0] + range[1]
}

/** Cheap rules that must not do better than chance; guesses are among `choices`. */
export const heuristics: { readonly [rule: string]: (question: Question) => string } = {
  'list-order': comparing((_, entity) => entity, orderKept),
  alphabetical: comparing((question, entity) => {
    const other = asked(question)
    const mine = name(question, entity).toLowerCase()
    const theirs = other === null ? '' : name(question, entity === other.more ? other.other : other.more).toLowerCase()
    return mine > theirs ? 1 : 0
  }, orderKept),
  'statement-counts': comparing(balanceOf, (question) => sources(question) > question.given.entities.length / 4),
  'mention-counts': comparing(
    mentions,
    (question) => Math.max(...question.given.entities.map((_, i) => mentions(question, i))) > 3,
  ),
  recency: comparing(lastMention, (question) => shownStatements(question).at(-1)?.[0] === 0),
  position: comparing(firstMention, (question) => shownStatements(question)[0]?.[0] === 0),
  'repeated-pair': comparing(
    () => 0,
    (question) => !repeated(question),
  ),
  'name-length': comparing(
    (question, entity) => name(question, entity).length,
    (question) => question.given.entities.join('').length % 2 === 0,
  ),
  'question-word': (question) => {
    const [yes, no] = choices(question) as readonly [string, string]
    return question.given.ask.kind === 'order' && question.given.ask.word === 'greater' ? yes : no
  },
  'world-knowledge': comparing(realSize, orderKept),
}
