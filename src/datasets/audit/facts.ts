import type { Feature } from './features.ts'
import { frequentWords } from './features.ts'
import { type Subject, statements, words } from './subject.ts'

/** A fact about each row as one of a few levels, which have no order: one probe, without fitting. */
export interface Fact {
  readonly probe: string
  /** Level number of each row. */
  readonly levels: Int32Array
}

type Level = string | number | boolean
type Facts = { [name: string]: Level }

/**
 * A prompt as its probes see it: what is stated, as the names of each statement, and the terms of the last statement that
 * names one of them.
 */
export interface Told {
  readonly text: string
  readonly lines: readonly (readonly string[])[]
  /** All mentions in order. */
  readonly mentions: readonly string[]
  readonly alphabet: readonly string[]
  readonly listed: readonly string[]
  /** At most two. */
  readonly asked: readonly string[]
}

/** Reads every prompt; words of more than half of all questions are no names, unless they are candidate answers. */
export function toldOf(subjects: readonly Subject[], candidates: ReadonlySet<string> = new Set()): Told[] {
  const general = new Set([...frequentWords(subjects)].filter((word) => !candidates.has(word)))
  return subjects.map(({ text, names: all }) => {
    const list = statements(text).map((statement) =>
      words(statement).filter((word) => all.has(word) && !general.has(word)),
    )
    const firstAt = new Map<string, number>()
    for (const [i, line] of list.entries()) for (const name of line) if (!firstAt.has(name)) firstAt.set(name, i)
    const query = list.findLastIndex((line, i) => line.some((name) => (firstAt.get(name) as number) < i))
    const asked = query < 0 ? [] : [...new Set(list[query])].filter((name) => (firstAt.get(name) as number) < query)
    const lines = (query < 0 ? list : list.slice(0, query)).filter((line) => line.length > 0)
    const mentions = lines.flat()
    const listed = [...new Set(mentions)]
    return { text, lines, mentions, alphabet: [...listed].sort(), listed, asked: asked.slice(0, 2) }
  })
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
const linesWith = (lines: Told['lines'], term: string): number[] =>
  lines.flatMap((line, i) => (line.includes(term) ? [i] : []))

/** Facts about one term of a prompt: its letters, how often and where it is mentioned. */
function termFacts(out: Facts, who: string, term: string, told: Told): void {
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
  out[`${asked}-mentions`] = told.mentions.filter((name) => name === term).length
  const at = linesWith(told.lines, term)
  out[`${asked}-sides`] = at.map((i) => (told.lines[i] as readonly string[]).indexOf(term)).join('')
  const alphabet = told.alphabet.indexOf(term)
  const listed = told.listed.indexOf(term)
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
function pairFacts(out: Facts, first: string, second: string, { lines }: Told): void {
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
function promptFacts(out: Facts, told: Told): void {
  modulo(out, 'prompt/characters', told.text.length, [2, 3, 4, 5])
  modulo(out, 'prompt/words', words(told.text).length, [2, 3, 4, 5])
  for (const [which, line] of [
    ['first-line', told.lines[0] ?? []],
    ['last-line', told.lines.at(-1) ?? []],
  ] as const)
    for (const [side, name] of [
      ['start', line[0] ?? ''],
      ['end', line.at(-1) ?? ''],
    ] as const) {
      const word = name.toLowerCase()
      out[`letters/${which}-${side}-first`] = word.slice(0, 1)
      out[`letters/${which}-${side}-last`] = word.slice(-1)
      for (const [who, term] of askedOf(told)) {
        const own = term.toLowerCase()
        out[`letters/${who}-first-as-${which}-${side}`] = word.slice(0, 1) === own.slice(0, 1)
        out[`letters/${who}-second-as-${which}-${side}`] = word.slice(1, 2) === own.slice(1, 2)
        out[`letters/${who}-last-as-${which}-${side}`] = word.slice(-1) === own.slice(-1)
      }
    }
}

const WHO = ['first', 'second'] as const
const askedOf = ({ asked }: Told): (readonly [string, string])[] =>
  asked.map((term, i) => [WHO[i] as string, term] as const)

/** Nominal facts of each prompt, made from its text alone. */
export function textFacts(all: readonly Told[]): Fact[] {
  return columns(
    all.map((told) => {
      const out: Facts = {}
      for (const [who, term] of askedOf(told)) termFacts(out, who, term, told)
      if (told.asked.length === 2) pairFacts(out, told.asked[0] as string, told.asked[1] as string, told)
      promptFacts(out, told)
      return out
    }),
  )
}

/** Nominal facts of each candidate answer in its prompt. */
export function candidateFacts(
  rows: readonly { readonly told: Told; readonly candidate: string; readonly at: number }[],
): Fact[] {
  return columns(
    rows.map(({ told, candidate, at }) => {
      const out: Facts = {}
      out['candidate/number'] = at
      termFacts(out, 'candidate', candidate, told)
      for (const [who, term] of askedOf(told)) {
        const [a, b] = [candidate.toLowerCase(), term.toLowerCase()]
        out[`letters/candidate-first-as-${who}`] = a.slice(0, 1) === b.slice(0, 1)
        out[`letters/candidate-last-as-${who}`] = a.slice(-1) === b.slice(-1)
        out[`letters/candidate-order-${who}`] = a < b
        modulo(out, `letters/candidate-and-${who}-lengths`, a.length + b.length, [2, 3])
      }
      return out
    }),
  )
}

/** The labels that a prompt shows before its question, as in few-shot styles. */
export function shownFacts(subjects: readonly Subject[]): Fact[] {
  if (!subjects.some(({ shown }) => shown !== undefined)) return []
  return columns(
    subjects.map(
      ({ shown }): Facts => ({
        'shown/last-label': shown?.last ?? ABSENT,
        'shown/first-label': shown?.first ?? ABSENT,
        'shown/commonest-label': shown?.commonest ?? ABSENT,
      }),
    ),
  )
}

/** Levels numbered in order of occurrence; facts that split the rows alike are kept once. */
function columns(rows: readonly Facts[]): Fact[] {
  const all = new Map<string, { readonly levels: Int32Array; readonly ids: Map<Level, number> }>()
  for (const [row, facts] of rows.entries())
    for (const [name, value] of Object.entries(facts)) {
      let column = all.get(name)
      if (column === undefined) {
        // Level 0: rows without the fact.
        column = { levels: new Int32Array(rows.length), ids: new Map([[ABSENT, 0]]) }
        all.set(name, column)
      }
      const id = column.ids.get(value) ?? column.ids.size
      column.ids.set(value, id)
      column.levels[row] = id
    }
  const seen = new Set<string>()
  return [...all].flatMap(([probe, { levels }]): Fact[] => {
    const key = partitionKey(levels)
    if (seen.has(key)) return []
    seen.add(key)
    return [{ probe, levels }]
  })
}

/** Equal for columns that split the rows alike, up to hash collisions. */
function partitionKey(levels: Int32Array): string {
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

/** Numbers of each prompt for trees: letters, lines and neighbours of the asked terms, as they stand. */
export function rawColumns(all: readonly Told[]): Feature[] {
  const letter = (word: string, at: number): number => word.toLowerCase().at(at)?.codePointAt(0) ?? 0
  const rows = all.map((told) => {
    const out: { [name: string]: number } = {
      characters: told.text.length,
      lines: told.lines.length,
      names: told.listed.length,
    }
    for (const [which, line] of [
      ['first-line', told.lines[0] ?? []],
      ['last-line', told.lines.at(-1) ?? []],
    ] as const) {
      out[`${which}-start`] = letter(line[0] ?? '', 0)
      out[`${which}-end`] = letter(line.at(-1) ?? '', 0)
    }
    for (const [who, term] of askedOf(told)) {
      const at = linesWith(told.lines, term)
      for (const place of [0, 1, 2, 3, -1, -2]) out[`${who} letter ${place}`] = letter(term, place)
      out[`${who} length`] = term.length
      out[`${who} vowels`] = vowels(term.toLowerCase())
      out[`${who} mentions`] = told.mentions.filter((name) => name === term).length
      out[`${who} alphabet`] = told.alphabet.indexOf(term)
      out[`${who} listed`] = told.listed.indexOf(term)
      for (const [which, line] of [
        ['first', at[0]],
        ['last', at.at(-1)],
      ] as const) {
        const names = line === undefined ? [] : (told.lines[line] as readonly string[])
        const partner = names.find((name) => name !== term) ?? ''
        out[`${who} ${which} line`] = line ?? -1
        out[`${who} ${which} side`] = names.indexOf(term)
        out[`${who} ${which} partner letter 0`] = letter(partner, 0)
        out[`${who} ${which} partner letter -1`] = letter(partner, -1)
        out[`${who} ${which} partner length`] = partner.length
      }
    }
    return out
  })
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return names.map((probe) => ({ probe, values: Float64Array.from(rows, (row) => row[probe] ?? -1) }))
}
