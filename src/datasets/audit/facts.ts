import type { Feature } from './features.ts'
import { type Subject, statements, words } from './subject.ts'

/** A fact about each row as one of a few levels, which have no order: one probe, without fitting. */
export interface Fact {
  readonly probe: string
  /** Level number of each row. */
  readonly levels: Int32Array | Uint8Array
}

type Level = string | number | boolean
type Facts = { [name: string]: Level }
type Numbers = { [name: string]: number }

/**
 * A prompt as its probes see it: what is stated, as the names of each statement, and the terms of the last statement that
 * names one of them.
 */
interface ParsedPrompt {
  readonly text: string
  readonly words: number
  readonly lines: readonly (readonly string[])[]
  /** All mentions in order. */
  readonly mentions: readonly string[]
  readonly alphabet: readonly string[]
  readonly listed: readonly string[]
  /** At most two. */
  readonly asked: readonly string[]
  /** The question without its names. */
  readonly template: string
}

/** Words of more than half of all questions are no names, unless they are candidate answers. */
function generalWords(subjects: readonly Subject[], candidates: ReadonlySet<string>): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const { names } of subjects) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Set(
    [...counts].filter(([name, count]) => count > subjects.length / 2 && !candidates.has(name)).map(([name]) => name),
  )
}

function parsePrompt({ text, names }: Subject, general: ReadonlySet<string>): ParsedPrompt {
  const own = new Set(names)
  for (const word of general) own.delete(word)
  const said = statements(text).map(words)
  const list = said.map((line) => line.filter((word) => own.has(word)))
  const firstAt = new Map<string, number>()
  for (const [i, line] of list.entries()) for (const name of line) if (!firstAt.has(name)) firstAt.set(name, i)
  const query = list.findLastIndex((line, i) => line.some((name) => (firstAt.get(name) as number) < i))
  const asked = query < 0 ? [] : [...new Set(list[query])].filter((name) => (firstAt.get(name) as number) < query)
  const lines = (query < 0 ? list : list.slice(0, query)).filter((line) => line.length > 0)
  const mentions = lines.flat()
  const listed = [...new Set(mentions)]
  return {
    text,
    words: said.reduce((sum, line) => sum + line.length, 0),
    lines,
    mentions,
    alphabet: [...listed].sort(),
    listed,
    asked: asked.slice(0, 2),
    template: (said[query] ?? []).filter((word) => !own.has(word)).join(' '),
  }
}

const MAX_DISTANCE = 6
/** Level of a fact that an item does not have. */
const ABSENT = 'none'

const code = (word: string): number => [...word].reduce((sum, letter) => sum + (letter.codePointAt(0) as number), 0)
const modulo = (out: Facts, name: string, value: number, moduli: readonly number[]): void => {
  for (const m of moduli) out[`${name}-mod-${m}`] = ((value % m) + m) % m
}
const vowels = (word: string): number => word.match(/[aeiou]/gu)?.length ?? 0
const common = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => [...a].filter((one) => b.has(one)).length
const linesWith = (lines: ParsedPrompt['lines'], term: string): number[] =>
  lines.flatMap((line, i) => (line.includes(term) ? [i] : []))

/** Facts about one term of a prompt: its letters, how often and where it is mentioned. */
function termFacts(out: Facts, who: string, term: string, prompt: ParsedPrompt): void {
  const word = term.toLowerCase()
  const letters = `letters/${who}`
  out[`${letters}-first`] = word.slice(0, 1)
  out[`${letters}-second`] = word.slice(1, 2)
  out[`${letters}-last`] = word.slice(-1)
  out[`${letters}-last-two`] = word.slice(-2)
  out[`${letters}-length`] = word.length
  out[`${letters}-vowels`] = vowels(word)
  modulo(out, `${letters}-sum`, code(word), [2, 3])
  const asked = `asked/${who}`
  out[`${asked}-mentions`] = prompt.mentions.filter((name) => name === term).length
  const at = linesWith(prompt.lines, term)
  out[`${asked}-sides`] = at.map((i) => (prompt.lines[i] as readonly string[]).indexOf(term)).join('')
  const alphabet = prompt.alphabet.indexOf(term)
  const listed = prompt.listed.indexOf(term)
  out[`${asked}-alphabet`] = alphabet
  modulo(out, `${asked}-alphabet`, alphabet, [2, 3])
  out[`${asked}-listed`] = listed
  modulo(out, `${asked}-listed`, listed, [2, 3])
  for (const [which, line] of [
    ['first-line', at[0] ?? -1],
    ['last-line', at.at(-1) ?? -1],
  ] as const) {
    out[`places/${who}-${which}`] = line
    modulo(out, `places/${who}-${which}`, line, [2, 3])
  }
}

/** Facts about two terms of a prompt: their letters against one another, and what lies between them. */
function pairFacts(out: Facts, first: string, second: string, { lines }: ParsedPrompt): void {
  const [a, b] = [first.toLowerCase(), second.toLowerCase()]
  for (const [what, x, y] of [
    ['first', a.slice(0, 1), b.slice(0, 1)],
    ['second', a.slice(1, 2), b.slice(1, 2)],
    ['last', a.slice(-1), b.slice(-1)],
    ['last-two', a.slice(-2), b.slice(-2)],
    ['length', a.length, b.length],
  ] as const) {
    out[`letters/same-${what}`] = x === y
    out[`letters/order-${what}`] = x === y ? 0 : x < y ? -1 : 1
  }
  const [ofA, ofB] = [new Set(a), new Set(b)]
  out['letters/order'] = a < b
  out['letters/shared'] = Math.min(4, [...b].filter((letter) => ofA.has(letter)).length)
  out['letters/shared-distinct'] = common(ofA, ofB)
  const bigrams = (word: string) => new Set(Array.from({ length: word.length - 1 }, (_, i) => word.slice(i, i + 2)))
  out['letters/shared-bigrams'] = common(bigrams(a), bigrams(b))
  modulo(out, 'letters/lengths', a.length + b.length, [2, 3])
  modulo(out, 'letters/sums', code(a) + code(b), [2, 3])
  const [atA, atB] = [linesWith(lines, first), linesWith(lines, second)]
  for (const [ends, x, y] of [
    ['first-first', atA[0] ?? -1, atB[0] ?? -1],
    ['first-last', atA[0] ?? -1, atB.at(-1) ?? -1],
    ['last-first', atA.at(-1) ?? -1, atB[0] ?? -1],
    ['last-last', atA.at(-1) ?? -1, atB.at(-1) ?? -1],
  ] as const) {
    const gap = x - y
    out[`places/gap-${ends}`] = Math.max(-MAX_DISTANCE, Math.min(MAX_DISTANCE, gap))
    modulo(out, `places/gap-${ends}`, Math.abs(gap), [2, 3])
    out[`places/sign-${ends}`] = Math.sign(gap)
    const between = lines.slice(Math.min(x, y) + 1, Math.max(x, y))
    const ordered = between.filter((line) => line.length > 1 && (line[0] as string) < (line[1] as string)).length
    out[`places/between-${ends}`] = between.length
    out[`places/ordered-between-${ends}`] = Math.min(5, ordered)
    modulo(out, `places/ordered-between-${ends}`, ordered, [2])
    const names = new Set(between.flat())
    modulo(out, `places/names-between-${ends}`, names.size, [2])
    modulo(out, `places/letters-between-${ends}`, between.flat().join('').length, [2])
  }
}

/** Facts about the whole prompt, and about its first and last statement against the asked terms. */
function promptFacts(out: Facts, prompt: ParsedPrompt): void {
  modulo(out, 'prompt/characters', prompt.text.length, [2, 3, 4, 5])
  modulo(out, 'prompt/words', prompt.words, [2, 3, 4, 5])
  for (const [which, line] of [
    ['first-line', prompt.lines[0] ?? []],
    ['last-line', prompt.lines.at(-1) ?? []],
  ] as const)
    for (const [side, name] of [
      ['start', line[0] ?? ''],
      ['end', line.at(-1) ?? ''],
    ] as const) {
      const word = name.toLowerCase()
      out[`letters/${which}-${side}-first`] = word.slice(0, 1)
      out[`letters/${which}-${side}-last`] = word.slice(-1)
      for (const [who, term] of askedOf(prompt)) {
        const own = term.toLowerCase()
        out[`letters/${who}-first-as-${which}-${side}`] = word.slice(0, 1) === own.slice(0, 1)
        out[`letters/${who}-second-as-${which}-${side}`] = word.slice(1, 2) === own.slice(1, 2)
        out[`letters/${who}-last-as-${which}-${side}`] = word.slice(-1) === own.slice(-1)
      }
    }
}

const WHO = ['first', 'second'] as const
const askedOf = ({ asked }: ParsedPrompt): (readonly [string, string])[] =>
  asked.map((term, i) => [WHO[i] as string, term] as const)

/** Alphabetical order, places and counts of the two asked terms and of the terms of each statement. */
function nameNumbers({ lines, mentions, alphabet, listed, asked }: ParsedPrompt): Numbers {
  const place = (term: string) => ({
    alphabet: alphabet.indexOf(term),
    listed: listed.indexOf(term),
    recency: mentions.length - 1 - mentions.lastIndexOf(term),
    mentions: mentions.filter((name) => name === term).length,
  })
  const [a, b] = asked as [string, string]
  const [first, second] = [place(a), place(b)]
  const pairs = lines.filter((line) => line.length > 1)
  const ordered = pairs.filter(([one, other]) => (one as string) < (other as string)).length
  return {
    'names/statements-in-order': pairs.length === 0 ? 0 : ordered / pairs.length,
    'query/in-order': a < b ? 1 : 0,
    'query/first-alphabet': first.alphabet,
    'query/second-alphabet': second.alphabet,
    'query/first-listed': first.listed,
    'query/second-listed': second.listed,
    'query/listed-in-order': Math.sign(second.listed - first.listed),
    'query/first-recency': first.recency,
    'query/second-recency': second.recency,
    'query/later-mentioned': Math.sign(first.recency - second.recency),
    'query/first-mentions': first.mentions,
    'query/second-mentions': second.mentions,
    'query/mentions-difference': second.mentions - first.mentions,
  }
}

/** Smallest fraction of prompts that ask about two terms; with fewer there are no numbers about both. */
const MIN_QUERIES = 0.5

/** What the probes of a prompt's text see: facts, numbers about the asked terms, and numbers for trees. */
export interface PromptColumns {
  readonly facts: readonly Fact[]
  readonly names: readonly Feature[]
  readonly raw: readonly Feature[]
}

/** Reads every prompt once; what is parsed of it is not kept. */
export function promptColumns(subjects: readonly Subject[]): PromptColumns {
  const general = generalWords(subjects, new Set())
  const facts = new FactColumns(subjects.length)
  const names = new NumberColumns(subjects.length)
  const raw = new NumberColumns(subjects.length)
  let queries = 0
  for (const [row, subject] of subjects.entries()) {
    const prompt = parsePrompt(subject, general)
    const out: Facts = {}
    for (const [who, term] of askedOf(prompt)) termFacts(out, who, term, prompt)
    if (prompt.asked.length === 2) {
      queries++
      pairFacts(out, prompt.asked[0] as string, prompt.asked[1] as string, prompt)
      out['query/words'] = prompt.template
      names.add(row, nameNumbers(prompt))
    }
    promptFacts(out, prompt)
    facts.add(row, out)
    raw.add(row, rawNumbers(prompt))
  }
  return {
    facts: facts.columns(),
    names: queries > 0 && queries >= MIN_QUERIES * subjects.length ? names.columns() : [],
    raw: raw.columns(),
  }
}

/** A candidate answer of an item, and its place in the list. */
export interface CandidateRow {
  /** The item, as its place among the subjects. */
  readonly subject: number
  readonly candidate: string
  readonly at: number
}

/** Nominal facts of each candidate answer in its prompt. The rows of an item follow one another. */
export function candidateFacts(subjects: readonly Subject[], rows: readonly CandidateRow[]): Fact[] {
  const general = generalWords(subjects, new Set(rows.map(({ candidate }) => candidate)))
  const facts = new FactColumns(rows.length)
  let parsed = -1
  let prompt = parsePrompt(subjects[0] as Subject, general)
  for (const [row, { subject, candidate, at }] of rows.entries()) {
    if (parsed !== subject) prompt = parsePrompt(subjects[subject] as Subject, general)
    parsed = subject
    const out: Facts = { 'candidate/number': at }
    termFacts(out, 'candidate', candidate, prompt)
    for (const [who, term] of askedOf(prompt)) {
      const [a, b] = [candidate.toLowerCase(), term.toLowerCase()]
      out[`letters/candidate-first-as-${who}`] = a.slice(0, 1) === b.slice(0, 1)
      out[`letters/candidate-last-as-${who}`] = a.slice(-1) === b.slice(-1)
      out[`letters/candidate-order-${who}`] = a < b
      modulo(out, `letters/candidate-and-${who}-lengths`, a.length + b.length, [2, 3])
    }
    facts.add(row, out)
  }
  return facts.columns()
}

/** The labels that a prompt shows before its question, as in few-shot styles. */
export function shownFacts(subjects: readonly Subject[]): Fact[] {
  if (!subjects.some(({ shown }) => shown !== undefined)) return []
  const facts = new FactColumns(subjects.length)
  for (const [row, { shown }] of subjects.entries())
    facts.add(row, {
      'shown/last-label': shown?.last ?? ABSENT,
      'shown/first-label': shown?.first ?? ABSENT,
      'shown/commonest-label': shown?.commonest ?? ABSENT,
    })
  return facts.columns()
}

/** Levels numbered in order of occurrence; level 0: rows without the fact. */
class FactColumns {
  private readonly all = new Map<string, { levels: Fact['levels']; readonly ids: Map<Level, number> }>()
  private readonly rows: number

  constructor(rows: number) {
    this.rows = rows
  }

  add(row: number, facts: Facts): void {
    for (const [name, value] of Object.entries(facts)) {
      let column = this.all.get(name)
      if (column === undefined) {
        column = { levels: new Uint8Array(this.rows), ids: new Map([[ABSENT, 0]]) }
        this.all.set(name, column)
      }
      const id = column.ids.get(value) ?? column.ids.size
      if (id === column.ids.size) column.ids.set(value, id)
      if (id === 256) column.levels = Int32Array.from(column.levels)
      column.levels[row] = id
    }
  }

  /** Facts that split the rows alike are kept once. */
  columns(): Fact[] {
    const seen = new Set<string>()
    return [...this.all].flatMap(([probe, { levels }]): Fact[] => {
      const key = partitionKey(levels)
      if (seen.has(key)) return []
      seen.add(key)
      return [{ probe, levels }]
    })
  }
}

/** Numbers of each row; -1 where a row has none. */
class NumberColumns {
  private readonly all = new Map<string, Float64Array>()
  private readonly rows: number

  constructor(rows: number) {
    this.rows = rows
  }

  add(row: number, numbers: Numbers): void {
    for (const [name, value] of Object.entries(numbers)) {
      let column = this.all.get(name)
      if (column === undefined) {
        column = new Float64Array(this.rows).fill(-1)
        this.all.set(name, column)
      }
      column[row] = value
    }
  }

  columns(): Feature[] {
    return [...this.all].map(([probe, values]) => ({ probe, values }))
  }
}

/** Equal for columns that split the rows alike, up to hash collisions. */
function partitionKey(levels: Fact['levels']): string {
  const order = new Map<number, number>()
  let [a, b] = [0x811c9dc5, 0x9e3779b1]
  for (const level of levels) {
    const id = order.get(level) ?? order.size
    order.set(level, id)
    a = Math.imul(a ^ id, 0x01000193)
    b = Math.imul(b + id, 0x85ebca6b) ^ (b >>> 13)
  }
  return `${a} ${b} ${order.size}`
}

/** Numbers of a prompt for trees: letters, lines and neighbours of the asked terms, as they stand. */
function rawNumbers(prompt: ParsedPrompt): Numbers {
  const letter = (word: string, at: number): number => word.toLowerCase().at(at)?.codePointAt(0) ?? 0
  const out: Numbers = {
    characters: prompt.text.length,
    lines: prompt.lines.length,
    names: prompt.listed.length,
  }
  for (const [which, line] of [
    ['first-line', prompt.lines[0] ?? []],
    ['last-line', prompt.lines.at(-1) ?? []],
  ] as const) {
    out[`${which}-start`] = letter(line[0] ?? '', 0)
    out[`${which}-end`] = letter(line.at(-1) ?? '', 0)
  }
  for (const [who, term] of askedOf(prompt)) {
    const at = linesWith(prompt.lines, term)
    for (const place of [0, 1, 2, 3, -1, -2]) out[`${who} letter ${place}`] = letter(term, place)
    out[`${who} length`] = term.length
    out[`${who} vowels`] = vowels(term.toLowerCase())
    out[`${who} mentions`] = prompt.mentions.filter((name) => name === term).length
    out[`${who} alphabet`] = prompt.alphabet.indexOf(term)
    out[`${who} listed`] = prompt.listed.indexOf(term)
    for (const [which, line] of [
      ['first', at[0]],
      ['last', at.at(-1)],
    ] as const) {
      const names = line === undefined ? [] : (prompt.lines[line] as readonly string[])
      const partner = names.find((name) => name !== term) ?? ''
      out[`${who} ${which} line`] = line ?? -1
      out[`${who} ${which} side`] = names.indexOf(term)
      out[`${who} ${which} partner letter 0`] = letter(partner, 0)
      out[`${who} ${which} partner letter -1`] = letter(partner, -1)
      out[`${who} ${which} partner length`] = partner.length
    }
  }
  return out
}
