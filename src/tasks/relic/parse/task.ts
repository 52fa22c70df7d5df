import { z } from 'zod'
import { defineTask, type Grade, type Preset, type Problem, pick } from '../../../core/index.ts'
import { isCrossed } from '../grammars/crossed.ts'
import {
  bracketed,
  type Derivation,
  type DerivationNode,
  derivationNodes,
  derivationOf,
  derives,
  leavesOf,
} from '../grammars/derivation.ts'
import { bandKinds, type Dial, dial, dialChecks, dialCurriculum, dialPresets, formOrCrossed } from '../grammars/dial.ts'
import { hasPlainTokens, liftedOf, ruleSetOf, type Shared, symbolsOf, textOf, tokensOf } from '../grammars/grammar.ts'
import { withOwn } from '../grammars/own.ts'
import { fenced } from '../grammars/present.ts'
import { provedByDerivation } from '../grammars/proved.ts'
import { type Given, workOf } from '../grammars/strings.ts'
import { chat, exactBaseline, overGrammars, withTiring } from '../grammars/task.ts'
import { draw, features } from './draw.ts'
import { oracle } from './oracle.ts'
import { lenient, strict } from './parsers.ts'
import { lookAhead } from './shortcuts.ts'

const presets: { readonly [name: string]: Preset<Dial> } = {
  ...dialPresets('parse'),
  'parse-greibach': {
    summary: 'Rules that begin with a token, strings of 24 to 32 tokens',
    config: { form: 'greibach', load: 0.6, minLength: 24, maxLength: 32 },
  },
  'parse-deterministic': {
    summary: 'As parse-greibach, with one rule per symbol and first token: a parser never has to choose',
    config: { form: 'greibach', load: 0.18, minLength: 24, maxLength: 32 },
  },
  'parse-crossed-easy': {
    summary: '40 rules over pairs of strings (fan-out 2), strings of 8 to 12 tokens',
    config: { form: 'crossed', rules: { low: 40, high: 40 }, minLength: 8, maxLength: 12 },
  },
  'parse-crossed': {
    summary: 'Multiple context-free grammars over pairs of strings (fan-out 2), strings of 14 to 24 tokens',
    config: { form: 'crossed', minLength: 14, maxLength: 24 },
  },
  'parse-regular': {
    summary: 'Regular grammars: rules A -> t and A -> t B, strings of 24 to 32 tokens',
    config: { form: 'regular', load: 0.45, minLength: 24, maxLength: 32 },
  },
}

/**
 * 1 for a derivation of the string, whichever it is. Subscores: `nodes`, the share of the tree's nodes, in preorder, before
 * the first that stands in no derivation of the string (a rule that the grammar has not, a wrong token, a part that its
 * symbol does not derive); `rules`, the share of rules that the grammar has; `leaves`, the share of tokens in place.
 */
function grade({ shared, given }: Problem<Shared, Given, Derivation>, answer: Derivation): Grade {
  const exists = answer.map((rule) => ruleSetOf(shared).has(rule.join(' ')))
  const nodes = derivationNodes(shared, answer)
  const { tokens } = symbolsOf(shared)
  // Of what is no derivation the tokens in the order of its rules, as in a finished tree.
  const leaves = isCrossed(shared)
    ? leavesOf(nodes ?? [])
    : answer.flatMap((rule) => rule.slice(1).filter((name) => tokens.has(name)))
  const wanted = given.string.split(' ')
  const share = nodes === null || nodes.length === 0 ? 0 : goodNodes(shared, wanted, nodes) / nodes.length
  return {
    value: share === 1 ? 1 : 0,
    parts: {
      nodes: share,
      rules: exists.length === 0 ? 0 : exists.filter(Boolean).length / exists.length,
      leaves: leaves.filter((name, at) => name === wanted[at]).length / Math.max(leaves.length, wanted.length),
    },
  }
}

/** Nodes before the first that no derivation of the string has. */
function goodNodes(shared: Shared, string: readonly string[], nodes: readonly DerivationNode[]): number {
  if (nodes[0]?.bounds[1] !== string.length) return 0
  const tokens = tokensOf(shared, string.join(' '))
  const bad = nodes.findIndex(
    ({ rule, parts }) =>
      !ruleSetOf(shared).has(rule.join(' ')) ||
      parts.some(({ name, isToken, bounds }) =>
        isToken ? string[bounds[0]!] !== name : !derives(shared, tokens, name, bounds),
      ),
  )
  return bad === -1 ? nodes.length : bad
}

const treeText = (shared: Shared, derivation: Derivation): string => fenced(bracketed(shared, derivation))

const proved = provedByDerivation<Given, Derivation>({
  stringOf: ({ given }) => given.string,
  derivationOf: ({ answer }) => answer,
  oracle,
  gold: ({ shared, answer }) => treeText(shared, answer),
  /** Only trees are looked for: lists of rules stand in the steps themselves. */
  parser(text, question) {
    const found = lenient(text, question)
    return found.kind === 'extracted' && found.rule.endsWith('tree') ? found : { kind: 'unparsed', reason: 'no tree' }
  },
  decides: treeText,
})

const PAIR_FORM =
  'Reason in whatever way you like. Close with the derivation as a tree in brackets, in a code block: each nonterminal is ' +
  'followed by the trees of the two nonterminals of its rule, in their order, or by the two tokens of its pair. For example, ' +
  "with the rules S(a c d b) -> A(a, b) B(c, d), A(a c, b d) -> A(a, b) B(c, d), A('x', 'y') and B('z', 'x'), a derivation of " +
  `"x z z x y x" is\n${fenced('(S (A (A x y) (B z x)) (B z x))')}`

/** Most rules of a random derivation. */
const MAX_RULES = 200

export const parse = defineTask({
  name: 'relic/parse',
  summary: 'Give a derivation of this string',
  ...overGrammars<Given>({
    text: ({ string }) => string,
    ask: (string, shared) =>
      `Give a derivation of this string from ${liftedOf(shared).start}. If there are several, any of them is correct.\n${fenced(string)}`,
    inRules: true,
    form: (shared) =>
      isCrossed(shared)
        ? PAIR_FORM
        : 'Reason in whatever way you like. Close with the derivation as a tree in brackets, in a code block: each nonterminal ' +
          "is followed by what its rule rewrites it into. For example, with the rules S -> A B, A -> 'x' A, A -> 'x' and B -> 'y', " +
          `a derivation of "x x y" is\n${fenced(hasPlainTokens(shared) ? '(S (A x (A x)) (B y))' : "(S (A 'x' (A 'x')) (B 'y'))")}`,
    example({ shared }, tokens) {
      const text = textOf(shared, tokens)
      return { text, answer: treeText(shared, derivationOf(shared, text)) }
    },
  }),
  version: 2,
  ...proved,
  ...withOwn(draw, bandKinds),
  config: dialChecks(z.strictObject({ ...dial, form: formOrCrossed })),
  // Shorter strings seldom withstand the shortcuts.
  curriculum: dialCurriculum({}, 4),
  presets,
  features,
  parsers: { strict, lenient },
  grade,
  tieBreaker: 'nodes',
  baselines: withTiring<Given>(
    {
      chart: exactBaseline(
        'exact: a chart, then one derivation of it',
        ({ shared, given }) => derivationOf(shared, given.string),
        proved.solution,
      ),
      'look-ahead': chat(
        'from the top, a random rule that fits the tokens at the edges; never goes back',
        ({ shared, given }, draws) => {
          const found = lookAhead(shared, tokensOf(shared, given.string), draws.stream('choices'))
          return found === null ? 'No derivation found.' : treeText(shared, found)
        },
      ),
      random: chat('a random derivation, whatever the string', ({ shared }, draws) => {
        const stream = draws.stream('choices')
        const derivation: string[][] = []
        const pending = [liftedOf(shared).start]
        while (pending.length > 0 && derivation.length < MAX_RULES) {
          const symbol = pending.pop()
          const own = liftedOf(shared).rules.filter(({ left }) => left === symbol)
          if (own.length === 0) continue
          const { left, right } = pick(stream, own)
          derivation.push([left, ...right.map(({ name }) => name)])
          for (const { kind, name } of right.toReversed()) if (kind === 'nonterminal') pending.push(name)
        }
        return treeText(shared, derivation)
      }),
    },
    'look-ahead',
    ({ shared, given }) => workOf(shared, tokensOf(shared, given.string), 'own'),
  ),
})
