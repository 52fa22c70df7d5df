import type { Pcfg } from './grammar.ts'
import { parsePcfg } from './text.ts'

/**
 * The nine grammars of "A Formal Language Benchmark for LLMs" (figures 6-10), rule by rule as printed: 1/3 is printed
 * .3333, some rules are printed twice, and some nonterminals cannot be reached. `g1-figure-1` is the grammar of
 * figures 1 and 2, which the paper also calls G1 but which is another one: its first rule has two symbols (as in G5) and
 * its lowest level is that of G1.
 */
type Word = readonly string[]

const quoted = (word: string) => [...word].map((t) => `'${t}'`).join(' ')

/** Two rules a nonterminal, four levels (figures 6, 8 left, 9 left). */
function hierarchical(p: readonly [string, string], top: string, lowest: Readonly<Record<string, Word>>): string {
  const [a, b] = p
  const two = (left: string, first: string, second: string) => `${left} -> ${first} [${a}]\n${left} -> ${second} [${b}]`
  return [
    'S -> A16 [1]',
    two('A16', top, 'A13 A15 A14'),
    two('A13', 'A11 A12', 'A12 A11'),
    two('A14', 'A11 A10 A12', 'A10 A11 A12'),
    two('A15', 'A12 A11 A10', 'A11 A12 A10'),
    two('A10', 'A7 A9 A8', 'A9 A8 A7'),
    two('A11', 'A8 A7 A9', 'A7 A8 A9'),
    two('A12', 'A8 A9 A7', 'A9 A7 A8'),
    ...Object.entries(lowest).map(([left, [first, second]]) => two(left, quoted(first ?? ''), quoted(second ?? ''))),
  ].join('\n')
}

/** Two hierarchies bridged by a dependency: the last token repeats the choice made between them (figures 7, 8 right, 9 right). */
function bridged(
  b1: readonly (readonly [word: string, probability: string])[],
  e1: readonly (readonly [word: string, probability: string])[],
  alphabet: string,
): string {
  const third = '0.3333'
  const three = (left: string, ...rights: readonly string[]) =>
    rights.map((right) => `${left} -> ${right} [${third}]`).join('\n')
  const words = (left: string, list: typeof b1) =>
    list.map(([word, probability]) => `${left} -> ${quoted(word)} [${probability}]`).join('\n')
  return [
    '%unreachable C1_5',
    '%agree T1_1 T1_2 T1_3 T1_4',
    'S -> S5 [1]',
    ...[1, 2, 3, 4].map((i) => `S5 -> B4 C1_${i} E4 T1_${i} [0.25]`),
    three('B4', 'B3', 'B3 B3 B3', 'B3 B3'),
    three('B3', 'B2', 'B2', 'B2 B2'),
    three('B2', 'B1', 'B1', 'B1 B1 B1'),
    words('B1', b1),
    three('E4', 'E3', 'E3 E3', 'E3 E3 E3'),
    three('E3', 'E2', 'E2 E2', 'E2'),
    three('E2', 'E1 E1', 'E1', 'E1 E1 E1'),
    words('E1', e1),
    ...[1, 2, 3, 4].map((i) => `T1_${i} -> '${alphabet[i - 1]}' [1]`),
    ...[1, 2, 3, 4, 5].map((i) => `C1_${i} -> '${alphabet[i + 3]}' [1]`),
  ].join('\n')
}

const digits = '123456789'
const letters = 'abcdefghi'
const even = ['0.50', '0.50'] as const
const equalWords = { A7: ['312', '123'], A8: ['654', '645'], A9: ['987', '879'] }
const unequalWords = { A7: ['31', '123'], A8: ['65', '645'], A9: ['987', '87'] }
const thirds = (...words: readonly string[]) => words.map((word) => [word, '0.3333'] as const)
const skewed = (...words: readonly string[]) => words.map((word, i) => [word, i === 0 ? '0.95' : '0.025'] as const)

const spread = ['0.8413447461', '0.1586552539'] as const
const g9 = [
  '%unreachable A11',
  'S -> A13 [1]',
  ...[
    ['A13', 'A10 A12', 'A9 A10'],
    ['A12', 'A5 A7 A5 A8', 'A6 A6'],
    ['A11', 'A5 A7 A8', 'A6'],
    ['A10', 'A6 A7 A5 A7', 'A8 A6'],
    ['A9', 'A6', 'A8 A5 A8'],
    ['A8', 'A1', 'A3'],
    ['A7', 'A1 A2', 'A4 A4'],
    ['A6', 'A2 A1 A3 A4', 'A3 A4 A1'],
    ['A5', 'A1 A4', 'A3'],
    ['A4', quoted('43'), quoted('303')],
    ['A3', quoted('2410'), quoted('043')],
    ['A2', quoted('043'), quoted('4302')],
    ['A1', quoted('1'), quoted('2')],
  ].map(([left, first, second]) => `${left} -> ${first} [${spread[0]}]\n${left} -> ${second} [${spread[1]}]`),
].join('\n')

/** The printed grammars as texts, by preset name. */
export const paperGrammars = {
  g1: hierarchical(even, 'A15 A14 A13', equalWords),
  g2: hierarchical(['0.95', '0.05'], 'A15 A14 A13', equalWords),
  g3: bridged(thirds('293', '961', '186'), thirds('5659', '1866', '1515'), digits),
  g4: bridged(skewed('293', '961', '186'), skewed('5659', '1866', '1515'), digits),
  g5: hierarchical(even, 'A15 A13', unequalWords),
  g6: bridged(thirds('293', '961', '1862'), thirds('56', '1866', '151559'), digits),
  g7: hierarchical(even, 'A15 A13', { A7: ['ca', 'abc'], A8: ['fe', 'fde'], A9: ['ihg', 'hg'] }),
  g8: bridged(thirds('bic', 'ifa', 'ahfb'), thirds('ef', 'ahff', 'aeaeei'), letters),
  g9,
  'g1-figure-1': hierarchical(even, 'A15 A13', equalWords),
} as const satisfies Readonly<Record<string, string>>

export type PaperGrammar = keyof typeof paperGrammars

const compiled = new Map<PaperGrammar, Pcfg>()

/** One of the paper's grammars, compiled once. */
export function paperGrammar(name: PaperGrammar): Pcfg {
  let found = compiled.get(name)
  if (found === undefined) {
    found = parsePcfg(paperGrammars[name])
    compiled.set(name, found)
  }
  return found
}
