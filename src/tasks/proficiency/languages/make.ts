import { enc, hex, maxPartitionRetries, type RandomStreams, sha256, UsageError } from '../../../core/index.ts'
import {
  arrangedLanguage,
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
import { type LanguageName, type LanguageSpec, ladders, matchedSources, nameOf, paperNames, rungNames } from './spec.ts'

/** A language in the plan: complete JSON. */
export interface PlannedLanguage {
  readonly [key: string]: string
  readonly name: string
  /** Canonical text form. */
  readonly grammar: string
  /** The unit of the split partition: strings of a fixed language, or whole random grammars. */
  readonly fenced: 'string' | 'grammar'
  /** Name and grammar text of the language of examples and training sets, where it is another. */
  readonly learntName?: string
  readonly learnt?: string
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
      const grammar = printPcfg(arrangedLanguage(source, arrangement))
      return planned(`${name}-${arrangement}`, grammar, 'grammar')
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
    if (typeof spec === 'string') return planned(name, printPcfg(namedGrammar(spec)), 'string')
    if ('preset' in spec || 'grammar' in spec) {
      const grammar = 'preset' in spec ? namedGrammar(spec.preset) : parsePcfg(spec.grammar)
      return planned(name, printPcfg(changed(grammar, spec)), 'string', spec.learnt)
    }
    return planned(name, printPcfg(randomSource(spec, index, draws, admits)), 'grammar')
  } catch (error) {
    if (error instanceof PcfgError) throw new UsageError(`language ${name}: ${error.message}`)
    throw error
  }
}

/** @throws UsageError where the language has not all the tokens of the one that is learnt. */
function planned(
  name: string,
  grammar: string,
  fenced: PlannedLanguage['fenced'],
  learntName?: LanguageName,
): PlannedLanguage {
  if (learntName === undefined) return { name, grammar, fenced }
  const learnt = namedGrammar(learntName)
  const { terminals } = parsePcfg(grammar)
  const missing = learnt.terminals.filter((token) => !terminals.includes(token))
  if (missing.length > 0)
    throw new UsageError(
      `language ${name}: it has no token ${missing.join(', ')}, which ${learntName} has; map its alphabet`,
    )
  return { name, grammar, fenced, learntName, learnt: printPcfg(learnt) }
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
    `language ${name}: no random grammar of at least ${leastEntropy} nats and at most ${maxMean} tokens per string was found; raise depth, rules or tokens`,
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
  if (rungNames.some((known) => known === name))
    return rung(name.slice(0, 2) as keyof typeof ladders, Number(name.slice(3)))
  if (name === 'counting') return counting()
  if (name === 'mirror') return mirror()
  if (name === 'copy') return copy(6)
  for (const arrangement of arrangements)
    for (const source of matchedSources)
      if (name === `${source}-${arrangement}`)
        return arrangedLanguage(source === 'letters' ? letterWords() : countedWords(), arrangement)
  return dyck(Number(name.slice('dyck-'.length)))
}

function rung(base: keyof typeof ladders, changes: number): Pcfg {
  const made = new Map<string, string>(ladders[base].slice(0, changes))
  return rewriteRules(paperGrammar(base), (rule) => {
    const [left, right] = (made.get(`${rule.left} -> ${rule.right}`) ?? `${rule.left} -> ${rule.right}`).split(' -> ')
    return { ...rule, left: left as string, right: right as string }
  })
}

/** A rule of the text form. */
interface RuleText {
  readonly left: string
  readonly right: string
  readonly probability: string
}

/** The grammar with its rules rewritten in the text form. @throws PcfgError where they are no grammar. */
function rewriteRules(grammar: Pcfg, rewrite: (rule: RuleText, number: number) => RuleText): Pcfg {
  let number = 0
  const text = printPcfg(grammar).replace(/^(\w+) -> (.+) \[(.+)\]$/gmu, (_line, left, right, probability) => {
    const rule = rewrite({ left, right, probability }, number++)
    return `${rule.left} -> ${rule.right} [${rule.probability}]`
  })
  return parsePcfg(text)
}

/** The right-hand side of a rule: symbols as in the text form. */
export const symbolsOf = ({ rules, terminals, nonterminals }: Pcfg, rule: number): string[] =>
  (rules[rule] as Pcfg['rules'][number]).right.map((symbol) =>
    symbol < 0 ? `'${terminals[-1 - symbol]}'` : (nonterminals[symbol] as string),
  )

/** The grammar with another right-hand side of a rule; null where that is no grammar. */
export function withRule(grammar: Pcfg, rule: number, right: string): Pcfg | null {
  try {
    return rewriteRules(grammar, (one, number) => (number === rule ? { ...one, right } : one))
  } catch (error) {
    if (error instanceof PcfgError) return null
    throw error
  }
}

function changed(
  grammar: Pcfg,
  spec: { alphabet?: Record<string, string> | undefined; entropy?: number | undefined; first?: number | undefined },
): Pcfg {
  const { alphabet, entropy, first } = spec
  const mapped = alphabet === undefined ? grammar : mapAlphabet(grammar, alphabet)
  const skewed = first === undefined ? mapped : withFirst(mapped, first)
  return entropy === undefined ? skewed : tiltEntropy(skewed, entropy)
}

const withFirst = (grammar: Pcfg, percent: number): Pcfg =>
  rewriteRules(grammar, (rule, number) => {
    const own = grammar.rulesOf[(grammar.rules[number] as Pcfg['rules'][number]).left] as readonly number[]
    const others = 100 * (own.length - 1)
    if (others === 0) return rule
    return { ...rule, probability: `${own[0] === number ? percent * (own.length - 1) : 100 - percent}/${others}` }
  })

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

/** The partition domain of strings, and of the grammars of random languages. */
export const fenceDomain = 'proficiency/string'

/** The partition key of a string in any language: G1 and G2 share strings, so they share the partition. */
export const stringKey = (text: string): string => digest('string', text)

const digest = (kind: string, text: string): string =>
  hex(sha256(enc('touchstone/proficiency/1', kind, text))).slice(0, 32)
