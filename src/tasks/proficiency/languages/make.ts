import { enc, hex, maxPartitionRetries, type RandomStreams, sha256, UsageError } from '../../../core/index.ts'
import {
  arranged,
  arrangements,
  bridgedHpcfg,
  copy,
  countedWords,
  counting,
  derivationalEntropy,
  dyck,
  expectedLength,
  letterWords,
  mapAlphabet,
  mirror,
  type Pcfg,
  PcfgError,
  paperGrammar,
  parsePcfg,
  printPcfg,
  randomHpcfg,
  regular,
  sourceOf,
  tiltEntropy,
} from '../../../libraries/grammars/pcfg/index.ts'
import { type LanguageName, type LanguageSpec, matchedSources, nameOf, paperNames } from './spec.ts'

/** A language in the plan: complete JSON. */
export interface PlannedLanguage {
  readonly [key: string]: string
  readonly name: string
  /** Canonical text form. */
  readonly grammar: string
  /** The unit of the split partition: strings of a fixed language, or whole random grammars. */
  readonly fenced: 'string' | 'grammar'
}

/** Random languages with less entropy (nats) or longer strings than this are drawn again. */
const leastEntropy = 6
const maxMean = 150

type MatchedSpec = Extract<LanguageSpec, { matched: unknown }>
type SingleSpec = Exclude<LanguageSpec, MatchedSpec>

/**
 * `admits`: the partition of random grammars. @throws UsageError with the language's name where its grammar is invalid.
 */
export function planLanguages(
  specs: readonly LanguageSpec[],
  draws: RandomStreams,
  admits: (key: string) => boolean,
): PlannedLanguage[] {
  return specs.flatMap((spec, index) => {
    if (typeof spec === 'string' || !('matched' in spec)) return [planLanguage(spec, index, draws, admits)]
    const { name, matched } = spec
    const source = randomSource({ name, regular: matched }, index, draws, admits)
    return arrangements.map((arrangement): PlannedLanguage => {
      const grammar = printPcfg(arranged(source, arrangement))
      return { name: `${name}-${arrangement}`, grammar, fenced: 'grammar' }
    })
  })
}

function planLanguage(
  spec: SingleSpec,
  index: number,
  draws: RandomStreams,
  admits: (key: string) => boolean,
): PlannedLanguage {
  const name = nameOf(spec)
  try {
    if (typeof spec === 'string') return { name, grammar: printPcfg(namedGrammar(spec)), fenced: 'string' }
    if ('preset' in spec)
      return { name, grammar: printPcfg(changed(namedGrammar(spec.preset), spec)), fenced: 'string' }
    if ('grammar' in spec) return { name, grammar: printPcfg(changed(parsePcfg(spec.grammar), spec)), fenced: 'string' }
    return { name, grammar: printPcfg(randomSource(spec, index, draws, admits)), fenced: 'grammar' }
  } catch (error) {
    if (error instanceof PcfgError) throw new UsageError(`language ${name}: ${error.message}`)
    throw error
  }
}

/** A random grammar with enough entropy and strings that are short enough. */
function randomSource(spec: RandomSpec, index: number, draws: RandomStreams, admits: (key: string) => boolean): Pcfg {
  const { name } = spec
  const tries = maxPartitionRetries('exam') * 8
  try {
    for (let attempt = 0; attempt < tries; attempt++) {
      const grammar = changed(randomGrammar(spec, draws, index, attempt), spec)
      if (derivationalEntropy(grammar) < leastEntropy || expectedLength(grammar) > maxMean) continue
      if (admits(grammarKey(grammar))) return grammar
    }
  } catch (error) {
    if (error instanceof PcfgError) throw new UsageError(`language ${name}: ${error.message}`)
    throw error
  }
  throw new UsageError(
    `language ${name}: no random grammar of at least ${leastEntropy} nats and at most ${maxMean} tokens a string was found; raise depth, rules or tokens`,
  )
}

type RandomSpec = Extract<LanguageSpec, { random: unknown } | { bridged: unknown } | { regular: unknown }>

function randomGrammar(spec: RandomSpec, draws: RandomStreams, index: number, attempt: number): Pcfg {
  const stream = draws.stream('language', index, attempt)
  if ('random' in spec) return randomHpcfg(spec.random, stream)
  if ('bridged' in spec) return bridgedHpcfg(spec.bridged, stream)
  return regular(spec.regular, stream)
}

export function namedGrammar(name: LanguageName): Pcfg {
  const paper = paperNames.find((known) => known === name)
  if (paper !== undefined) return paperGrammar(paper)
  if (name === 'counting') return counting()
  if (name === 'mirror') return mirror()
  if (name === 'copy') return copy(6)
  for (const arrangement of arrangements)
    for (const source of matchedSources)
      if (name === `${source}-${arrangement}`)
        return arranged(source === 'letters' ? letterWords() : countedWords(), arrangement)
  return dyck(Number(name.slice('dyck-'.length)))
}

function changed(
  grammar: Pcfg,
  spec: { alphabet?: Record<string, string> | undefined; entropy?: number | undefined },
): Pcfg {
  const mapped = spec.alphabet === undefined ? grammar : mapAlphabet(grammar, spec.alphabet)
  return spec.entropy === undefined ? mapped : tiltEntropy(mapped, spec.entropy)
}

/**
 * The partition key of a grammar: its text with tokens numbered in order of appearance, so that renaming changes
 * nothing. The three arrangements of words with partners share the key of their source.
 */
export function grammarKey(language: Pcfg): string {
  const grammar = sourceOf(language) ?? language
  const numbers = new Map<string, number>()
  const text = printPcfg(grammar).replace(/'[^']*'|"[^"]*"/gu, (token) => {
    const number = numbers.get(token) ?? numbers.size
    numbers.set(token, number)
    return `'${number}'`
  })
  return digest('grammar', text)
}

/** The partition key of a string in any language: G1 and G2 share strings, so they share the partition. */
export const stringKey = (text: string): string => digest('string', text)

const digest = (kind: string, text: string): string =>
  hex(sha256(enc('touchstone/proficiency/1', kind, text))).slice(0, 32)
