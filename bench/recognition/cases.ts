import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../src/core/hash.ts'
import { below, between } from '../../src/core/random.ts'
import { type Stream, streamFromKey } from '../../src/core/streams.ts'
import { type Cnf, indexRules } from '../../src/libraries/grammars/grammar/cnf.ts'
import { randomGrammar } from '../../src/libraries/grammars/grammar/random-grammar.ts'
import { parseRelicGrammar } from '../../src/libraries/grammars/notation/relic.ts'
import { compileRecognizer } from '../../src/libraries/grammars/recognise/recognizer.ts'
import { insideTable } from '../../src/libraries/grammars/sample/inside.ts'
import { attainableLengths, lengthTable } from '../../src/libraries/grammars/sample/lengths.ts'
import { stringSampler } from '../../src/libraries/grammars/sample/sample-string.ts'

/** A grammar with labelled strings. */
export interface Case {
  readonly name: string
  readonly grammar: Cnf
  /** up to `most` strings, lengths and classes as they come */
  readonly strings: readonly Labelled[]
  /** 16 of them for the slow parsers: lengths 6 to 50, half in the language */
  readonly few: readonly Labelled[]
}

export interface Labelled {
  readonly text: string
  readonly tokens: Int32Array
  readonly member: boolean
}

const most = 300

/** The released grammars, where they are. */
export function releasedCases(shared: string): Case[] {
  const root = join(shared, 'data/relic-500-sample/data/grammars')
  if (!existsSync(root)) return []
  return readdirSync(root).map((name) => {
    const grammar = parseRelicGrammar(readFileSync(join(root, name, `${name}.cfg`), 'utf8'))
    const rows = readFileSync(join(root, name, 'filtered_samples.csv'), 'utf8')
      .trimEnd()
      .split(/\r?\n/)
      .slice(1)
    return assembled(
      name.replace('grammar_', ''),
      grammar,
      rows.map((row) => row.split(',')[0] as string),
    )
  })
}

/** Sizes of generated grammars: terminals, nonterminals, lexical and binary rules asked for, before trimming. */
const sizes: readonly (readonly [number, number, number, number])[] = [
  [30, 20, 40, 60],
  [60, 40, 90, 120],
  [20, 60, 60, 200],
  [100, 30, 150, 200],
  [150, 80, 220, 300],
  [40, 100, 120, 350],
  [200, 120, 300, 400],
  [120, 60, 200, 450],
]

/** Generated grammars up to 450 binary rules; half the strings from the grammar, half random, as in the release. */
export function generatedCases(): Case[] {
  return sizes.flatMap(([terminals, nonterminals, lexical, binary], index) => {
    const stream = streamFromKey(sha256(new TextEncoder().encode(`bench/recognition/${index}`)))
    const grammar = randomGrammar(stream, { terminals, nonterminals, lexical, binary })
    if (grammar === null) return []
    const texts = [...positives(stream, grammar), ...negatives(stream, grammar)]
    return [assembled(`generated ${terminals}/${nonterminals}/${lexical}/${binary}`, grammar, texts)]
  })
}

function positives(stream: Stream, grammar: Cnf): string[] {
  const lengths = attainableLengths(lengthTable(indexRules(grammar), 50))
  const sampler = stringSampler(insideTable(grammar, 50))
  return Array.from({ length: most / 2 }, (_, i) =>
    Array.from(
      sampler.sample(stream, lengths[Math.floor((i * lengths.length * 2) / most)] as number),
      (t) => grammar.terminals[t],
    ).join(' '),
  )
}

const negatives = (stream: Stream, grammar: Cnf): string[] =>
  Array.from({ length: most / 2 }, () =>
    Array.from(
      { length: between(stream, 1, 50) },
      () => grammar.terminals[below(stream, grammar.terminals.length)],
    ).join(' '),
  )

function assembled(name: string, grammar: Cnf, texts: readonly string[]): Case {
  const recognizer = compileRecognizer(grammar)
  const numbers = new Map(grammar.terminals.map((name, token) => [name, token]))
  const spread = <T>(list: readonly T[], count: number): T[] =>
    list.filter((_, at) => Math.floor((at * count) / list.length) !== Math.floor(((at - 1) * count) / list.length))
  const labelled = texts.map((text): Labelled => {
    const tokens = Int32Array.from(text.split(' '), (name) => numbers.get(name) ?? -1)
    return { text, tokens, member: recognizer.accepts(tokens) }
  })
  const ofClass = (member: boolean) =>
    spread(
      labelled
        .filter((string) => string.member === member && string.tokens.length >= 6)
        .sort((a, b) => a.tokens.length - b.tokens.length),
      8,
    )
  return { name, grammar, strings: spread(labelled, most), few: [...ofClass(true), ...ofClass(false)] }
}
