import { memoize, namedStream, pick, type RandomStreams, type Stream, shuffle } from '../../../core/index.ts'
import { type CfgRule, type CfgSymbol, nonterminal, terminal } from '../../../libraries/grammars/grammar/cfg.ts'
import { nonsense } from '../../../libraries/language/people.ts'
import { taxonomy } from '../../../libraries/language/taxonomy.ts'
import { liftedOf, type Shared, symbolsOf } from './grammar.ts'

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
  if (nonterminals.has(name) || tokens.has(name)) return name
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
  const { rules, start } = liftedOf(shared)
  const symbols = `${start} is the start symbol, names in quotes are tokens, and all other names are nonterminals`
  if (/^(?:zero|few)-shot/u.test(style) && shared.shown !== undefined && (!inRules || isPlain(shared)))
    return `Below is a context-free grammar. ${symbols}; | stands between alternatives.\n\nGrammar:\n${fenced(shared.shown)}`
  const listed =
    style === 'shuffled'
      ? shuffle(draws.stream('order'), rules)
      : style === 'distract-50'
        ? shuffle(draws.stream('order'), [...rules, ...distractors(shared, draws.stream('distractors'))])
        : rules
  const right = (symbols: readonly CfgSymbol[]): string =>
    symbols.map(({ kind, name }) => (kind === 'terminal' ? quoted(show(name)) : show(name))).join(' ')
  if (style === 'prose') {
    const text = listed
      .map((rule) => `${rule.left} can be rewritten as ${sentence(rule.right, show) || 'nothing'}.`)
      .join('\n')
    return `Below is a context-free grammar in sentences. ${symbols}.\n\nGrammar:\n${fenced(text)}`
  }
  const lines =
    style === 'bars'
      ? [...Map.groupBy(listed, ({ left }) => left)].map(
          ([left, own]) => `${show(left)} -> ${own.map((rule) => right(rule.right)).join(' | ')}`,
        )
      : listed.map((rule) => `${show(rule.left)} -> ${right(rule.right)}`)
  const each = style === 'bars' ? 'Each line lists the alternatives of one nonterminal' : 'Each line is one rule'
  return `Below is a context-free grammar. ${each}; ${symbols}.\n\nGrammar:\n${fenced(lines.join('\n'))}`
}

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
function distractors(shared: Shared, stream: Stream): readonly CfgRule[] {
  const { rules, start } = liftedOf(shared)
  const { nonterminals, tokens } = symbolsOf(shared)
  const known = [...nonterminals.keys()].filter((name) => name !== start)
  const free = Array.from({ length: 2 * known.length }, (_, k) => `NT${k}`).filter((name) => !nonterminals.has(name))
  const apart = free.slice(0, Math.max(3, Math.floor(known.length / 2)))
  const names = [...tokens.keys()]
  return Array.from({ length: Math.floor(rules.length / 2) }, () => ({
    left: pick(stream, apart),
    right: pick(stream, rules).right.map(({ kind }) =>
      kind === 'terminal' ? terminal(pick(stream, names)) : nonterminal(pick(stream, [...known, ...apart])),
    ),
    weight: null,
  }))
}
