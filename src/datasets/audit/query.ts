import type { Feature } from './direct.ts'
import { type Subject, statements, words } from './subject.ts'

/**
 * What the order of names tells, in prompts that state something and then ask about two names: how the
 * names of a statement stand in the alphabet, where the asked names stood before and how often, how the question is put.
 */

/** Fewer prompts of this form than this share are not worth the probes. */
const leastShare = 0.5

export function nameFeatures(subjects: readonly Subject[]): Feature[] {
  const general = frequentWords(subjects)
  const read = subjects.map((subject) => readOne(subject, general))
  if (read.filter((one) => one !== null).length < leastShare * subjects.length || subjects.length === 0) return []
  const templates = [...new Set(read.map((one) => one?.template ?? ''))].sort()
  const rank = new Map(templates.map((template, i) => [template, i]))
  const columns: { readonly [name: string]: (one: Reading) => number } = {
    'names/statements-in-order': (one) => one.inOrder,
    'query/in-order': (one) => (one.first.name < one.second.name ? 1 : 0),
    'query/first-alphabet': (one) => one.first.alphabet,
    'query/second-alphabet': (one) => one.second.alphabet,
    'query/first-listed': (one) => one.first.listed,
    'query/second-listed': (one) => one.second.listed,
    'query/listed-in-order': (one) => Math.sign(one.second.listed - one.first.listed),
    'query/first-recency': (one) => one.first.recency,
    'query/second-recency': (one) => one.second.recency,
    'query/later-mentioned': (one) => Math.sign(one.first.recency - one.second.recency),
    'query/first-mentions': (one) => one.first.mentions,
    'query/second-mentions': (one) => one.second.mentions,
    'query/mentions-difference': (one) => one.second.mentions - one.first.mentions,
    'query/words': (one) => rank.get(one.template) as number,
  }
  return Object.entries(columns).map(([probe, value]) => ({
    probe,
    values: Float64Array.from(read, (one) => (one === null ? -1 : value(one))),
  }))
}

/** Words of more than half of all questions (a relation, a kind) name nothing. */
function frequentWords(subjects: readonly Subject[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const { names } of subjects) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count > subjects.length / 2).map(([name]) => name))
}

interface Asked {
  readonly name: string
  /** Rank among the item's names. */
  readonly alphabet: number
  /** Rank among the item's names by first mention. */
  readonly listed: number
  /** Names mentioned after it, before the question. */
  readonly recency: number
  readonly mentions: number
}

interface Reading {
  readonly first: Asked
  readonly second: Asked
  /** The question without its names. */
  readonly template: string
  /** Share of statements with two names or more that name the alphabetically earlier one first. */
  readonly inOrder: number
}

/** null: this prompt does not state something and then name two. */
function readOne({ text, names: all }: Subject, general: ReadonlySet<string>): Reading | null {
  const names = new Set([...all].filter((name) => !general.has(name)))
  const list = statements(text)
  const query = list.at(-1)
  if (query === undefined || list.length < 2) return null
  const asked = named(query, names)
  if (asked.length < 2) return null
  const told = list.slice(0, -1).map((statement) => named(statement, names))
  const mentions = told.flat()
  const ranks = [...names].sort()
  const listed = [...new Set(mentions)]
  const look = (name: string): Asked => ({
    name,
    alphabet: ranks.indexOf(name),
    listed: listed.indexOf(name),
    recency: mentions.length - 1 - mentions.lastIndexOf(name),
    mentions: mentions.filter((mention) => mention === name).length,
  })
  const pairs = told.filter((statement) => statement.length > 1)
  const ordered = pairs.filter(([a, b]) => (a as string) < (b as string)).length
  return {
    first: look(asked[0] as string),
    second: look(asked[1] as string),
    template: words(query)
      .filter((word) => !names.has(word))
      .join(' '),
    inOrder: pairs.length === 0 ? 0 : ordered / pairs.length,
  }
}

const named = (statement: string, names: ReadonlySet<string>): string[] =>
  words(statement).filter((word) => names.has(word))
