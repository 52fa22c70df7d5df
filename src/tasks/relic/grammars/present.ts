import { memoize, namedStream, pick, type RandomStreams, type Stream, shuffle } from '../../../core/index.ts'
import { type CfgRule, type CfgSymbol, nonterminal, terminal } from '../../../libraries/grammars/grammar/cfg.ts'
import type { Arrangement } from '../../../libraries/grammars/recognise/pair-chart.ts'
import { nonsense } from '../../../libraries/language/people.ts'
import { taxonomy } from '../../../libraries/language/taxonomy.ts'
import { arrangementsOf, isCrossed } from './crossed.ts'
import { liftedOf, nameOf, type Shared, symbolsOf, targetsOf, targetWordsOf } from './grammar.ts'

/**
 * Ways to show the same grammar and question: the codes as they are, rules in random order, invented or ordinary words as
 * names, alternatives joined by bars, sentences, or half as many rules more that no derivation uses.
 */
export const presentations = ['zero-shot', 'shuffled', 'nonsense', 'words', 'bars', 'prose', 'distract-50'] as const

/** Names of symbols in one vocabulary, and back. */
interface Names {
  readonly show: (code: string) => string
  readonly codes: ReadonlyMap<string, string>
}

/** The names of a vocabulary depend on the grammar's text alone, so that parsers know them too. */
const namesFrom = (list: readonly string[], label: string) =>
  memoize((shared: Shared): Names => {
    const { nonterminals, tokens } = symbolsOf(shared)
    const words = shuffle(namedStream(`relic/names/${label}`, shared.grammar), list)
    const { start } = liftedOf(shared)
    const shown = new Map([[start, start]])
    for (const token of tokens.keys()) shown.set(token, words[shown.size] ?? token)
    for (const symbol of nonterminals.keys()) {
      const word = words[shown.size]
      if (symbol !== start) shown.set(symbol, word === undefined ? symbol : word[0]!.toUpperCase() + word.slice(1))
    }
    for (const word of targetWordsOf(shared)) shown.set(word, words[shown.size] ?? word)
    return {
      show: (code) => shown.get(code) ?? code,
      codes: new Map([...shown].map(([code, word]) => [word, code])),
    }
  })

const nouns = taxonomy.names.filter((noun) => /^[a-z]+$/u.test(noun))
const vocabularies = {
  nonsense: namesFrom(nonsense.all, 'nonsense'),
  words: namesFrom(nouns, 'words'),
}

/** The code behind a name that a response uses, in any vocabulary; the name itself where no symbol has it. */
export function codeOf(shared: Shared, name: string): string {
  const { nonterminals, tokens } = symbolsOf(shared)
  if (nonterminals.has(name) || tokens.has(name) || targetWordsOf(shared).has(name)) return name
  for (const names of [vocabularies.nonsense, vocabularies.words]) {
    const code = names(shared).codes.get(name)
    if (code !== undefined) return code
  }
  return name
}

/** Writes names and strings as a style shows them. */
export function writerOf(shared: Shared, style: string): (code: string) => string {
  return style === 'nonsense' || style === 'words' ? vocabularies[style](shared).show : (code) => code
}

/** The grammar as a style shows it, with a sentence about the notation. `inRules`: is the answer made of its rules? */
export function presentGrammar(shared: Shared, style: string, draws: RandomStreams, inRules = false): string {
  const show = writerOf(shared, style)
  const { start } = liftedOf(shared)
  const symbols = `${start} is the start symbol, names in quotes are tokens, and all other names are nonterminals`
  if (/^(?:zero|few)-shot/u.test(style) && shared.shown !== undefined && (!inRules || isPlain(shared)))
    return `Below is a context-free grammar. ${symbols}; | stands between alternatives.\n\nGrammar:\n${fenced(shared.shown)}`
  const translated = listedRules(shared)
  const listed =
    style === 'shuffled'
      ? shuffle(draws.stream('order'), translated)
      : style === 'distract-50'
        ? shuffle(draws.stream('order'), [...translated, ...distractors(shared, draws.stream('distractors'))])
        : translated
  const kind = shared.targets === undefined ? 'context-free' : 'synchronous context-free'
  const sides =
    shared.targets === undefined
      ? ''
      : ` After ${style === 'prose' ? '"translated as"' : 'the slash'} comes the translation of the right-hand side. A nonterminal is the same part on both sides, rewritten by the same rule on both; where it occurs twice, the first on one side is the first on the other.`
  if (isCrossed(shared)) return crossedGrammar(style, listed, show)
  if (style === 'prose') {
    const text = listed
      .map(({ left, right, target }) => {
        const translation = target === undefined ? '' : `, translated as ${sentence(target, show)}`
        return `${left} can be rewritten as ${sentence(right, show) || 'nothing'}${translation}.`
      })
      .join('\n')
    return `Below is a ${kind} grammar in sentences. ${symbols}.${sides}\n\nGrammar:\n${fenced(text)}`
  }
  const lines =
    style === 'bars'
      ? [...Map.groupBy(listed, ({ left }) => left)].map(
          ([left, own]) => `${show(left)} -> ${own.map((rule) => rightOf(rule, show)).join(' | ')}`,
        )
      : listed.map((rule) => `${show(rule.left)} -> ${rightOf(rule, show)}`)
  const each = style === 'bars' ? 'Each line lists the alternatives of one nonterminal' : 'Each line is one rule'
  return `Below is a ${kind} grammar. ${each}; ${symbols}.${sides}\n\nGrammar:\n${fenced(lines.join('\n'))}`
}

/** A rule with its target side, which synchronous grammars have, or its arrangement, which grammars over pairs have. */
type Listed = CfgRule & { readonly target: readonly CfgSymbol[] | undefined; readonly arrangement?: Arrangement | null }

const listedRules = (shared: Shared): readonly Listed[] =>
  liftedOf(shared).rules.map((rule, at) => ({
    ...rule,
    target: targetsOf(shared)[at],
    ...(isCrossed(shared) ? { arrangement: arrangementsOf(shared)[at]! } : {}),
  }))

/** The sides of a clause: `NT3`, `a c, b d`, `NT4(a, b) NT5(c, d)`, or `NT7`, `'t3', 't5'` and nothing. */
function clauseOf({ left, right, arrangement }: Listed, show: (code: string) => string) {
  const [first, second] = right.map(({ name }) => show(name)) as [string, string]
  return arrangement == null
    ? { left: show(left), strings: `${quoted(first)}, ${quoted(second)}`, children: [] }
    : { left: show(left), strings: arrangement, children: [`${first}(a, b)`, `${second}(c, d)`] }
}

function clauseText(rule: Listed, show: (code: string) => string = (code) => code, withLeft = true): string {
  const { left, strings, children } = clauseOf(rule, show)
  const head = `${withLeft ? left : ''}(${strings})`
  return children.length === 0 ? head : `${head} -> ${children.join(' ')}`
}

/** Clauses of a grammar over pairs by the names of their rules. */
const clausesOf = memoize(
  (shared: Shared): ReadonlyMap<string, string> =>
    new Map(listedRules(shared).map((rule) => [nameOf(rule), clauseText(rule)])),
)
export const clauseOfRule = (shared: Shared, rule: readonly string[]): string =>
  clausesOf(shared).get(rule.join(' ')) ?? rule.join(' ')

/** What the notation of a grammar over pairs means. */
const ABOUT_PAIRS =
  'S derives strings, every other nonterminal derives pairs of strings. Names in quotes are tokens, and a, b, c, d stand for strings of tokens.'
const ABOUT_CLAUSES =
  "A('x', 'y') means: A derives the pair (x, y). A(a c, b d) -> B(a, b) C(c, d) means: where B derives the pair (a, b) and C the " +
  'pair (c, d), A derives the pair of a followed by c, and b followed by d. A rule of S joins the four parts into one string.'

/** A grammar over pairs with what its notation means. */
export const pairGrammarLead = (shared: Shared): string =>
  crossedGrammar('zero-shot', listedRules(shared), (code) => code)

function crossedGrammar(style: string, rules: readonly Listed[], show: (code: string) => string): string {
  const lead = 'Below is a multiple context-free grammar'
  if (style === 'prose') {
    const text = rules.map((rule) => {
      const { left, strings, children } = clauseOf(rule, show)
      const derived = strings.includes(',') ? `the pair (${strings})` : `the string ${strings}`
      const [first, second] = children.map((child) => child.replace('(', ' derives the pair ('))
      return `${left} derives ${derived}${first === undefined ? '' : ` where ${first} and ${second}`}.`
    })
    return `${lead} in sentences. ${ABOUT_PAIRS} (a c, b d) is the pair of a followed by c, and b followed by d.\n\nGrammar:\n${fenced(text.join('\n'))}`
  }
  const lines =
    style === 'bars'
      ? [...Map.groupBy(rules, ({ left }) => left)].map(
          ([left, own]) => `${show(left)}: ${own.map((rule) => clauseText(rule, show, false)).join(' | ')}`,
        )
      : rules.map((rule) => clauseText(rule, show))
  const each =
    style === 'bars'
      ? 'Each line lists the rules of one nonterminal, whose name stands in front'
      : 'Each line is one rule'
  return `${lead}. ${each}. ${ABOUT_PAIRS}\n\n${ABOUT_CLAUSES}\n\nGrammar:\n${fenced(lines.join('\n'))}`
}

function rightOf({ right, target }: Listed, show: (code: string) => string): string {
  const side = (symbols: readonly CfgSymbol[]): string =>
    symbols.map(({ kind, name }) => (kind === 'terminal' ? quoted(show(name)) : show(name))).join(' ')
  return target === undefined ? side(right) : `${side(right)} / ${side(target)}`
}

/** The rules line by line, as the default style shows them. */
export const grammarText = (shared: Shared): string =>
  isCrossed(shared)
    ? listedRules(shared)
        .map((rule) => clauseText(rule))
        .join('\n')
    : shared.targets === undefined
      ? shared.grammar
      : liftedOf(shared)
          .rules.map(
            (rule, at) => `${rule.left} -> ${rightOf({ ...rule, target: targetsOf(shared)[at] }, (code) => code)}`,
          )
          .join('\n')

const sentence = (symbols: readonly CfgSymbol[], show: (code: string) => string): string =>
  symbols
    .map(({ kind, name }) => (kind === 'terminal' ? `the token ${quoted(show(name))}` : show(name)))
    .join(' followed by ')

const quoted = (name: string): string => (name.includes("'") ? `"${name}"` : `'${name}'`)

/** Does the text of a grammar of one's own name all symbols that its plain rules have? */
const isPlain = (shared: Shared): boolean =>
  liftedOf(shared).rules.every(({ left }) => shared.shown?.includes(left) === true)

export const fenced = (text: string): string => `\`\`\`\n${text}\n\`\`\``

/** Half as many rules more, of the grammar's forms and tokens, whose nonterminals no derivation from S reaches. */
function distractors(shared: Shared, stream: Stream): readonly Listed[] {
  const { rules, start } = liftedOf(shared)
  const { nonterminals, tokens } = symbolsOf(shared)
  const known = [...nonterminals.keys()].filter((name) => name !== start)
  const free = Array.from({ length: 2 * known.length || 3 }, (_, k) => `NT${k}`).filter(
    (name) => !nonterminals.has(name),
  )
  const apart = free.slice(0, Math.max(3, Math.floor(known.length / 2)))
  const names = [...tokens.keys()]
  const words = [...targetWordsOf(shared)]
  const models = listedRules(shared).filter(({ left }) => !isCrossed(shared) || left !== start)
  return Array.from({ length: Math.floor(rules.length / 2) }, () => {
    const left = pick(stream, apart)
    const model = pick(stream, models)
    const right = model.right.map(({ kind }) =>
      kind === 'terminal' ? terminal(pick(stream, names)) : nonterminal(pick(stream, [...known, ...apart])),
    )
    const target =
      words.length === 0
        ? undefined
        : right.map((symbol) => (symbol.kind === 'terminal' ? terminal(pick(stream, words)) : symbol)).toReversed()
    return { ...model, left, right, target }
  })
}
