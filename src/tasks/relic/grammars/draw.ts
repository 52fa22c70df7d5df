import {
  below,
  between,
  type EmptyDraw,
  float,
  pick,
  type RandomStreams,
  type Stream,
  sampleIndices,
} from '../../../core/index.ts'
import { type CfgRule, cfgOf, nonterminal, printRule, terminal } from '../../../libraries/grammars/grammar/cfg.ts'
import { rawGrammar } from '../../../libraries/grammars/grammar/random-grammar.ts'
import { trim } from '../../../libraries/grammars/grammar/trim.ts'
import { arrangements } from '../../../libraries/grammars/recognise/pair-chart.ts'
import { derivesLength } from '../../../libraries/grammars/sample/lengths.ts'
import { keyOf } from '../recognize/grammars/canonical.ts'
import { isCrossed } from './crossed.ts'
import type { Dial } from './dial.ts'
import { type Shared, symbolsOf } from './grammar.ts'
import { languageOf, recognizerOf } from './languages.ts'
import { usefulRules } from './own.ts'

/** Symbols that a rule gives each token in Chomsky normal form; first tokens of a symbol in the other forms. */
const CHOICE = { cnf: 2, greibach: 3, regular: 3 } as const
/** Random strings of a usable grammar's greatest length, and how many of them it has less than. */
const RANDOM = 40
const MAX_MEMBERS = 30
/** Pairs of tokens that a grammar over pairs has for each token. */
const PAIRS = 2
/** Most grammars drawn for one that fits. */
const TRIES = 300
/** A grammar keeps at least this share of its rules when useless ones are removed. */
const MIN_KEPT = 0.6

/** The grammar of a group; `suits`: may the task use it? */
export function drawGrammar(
  config: Dial,
  draws: RandomStreams,
  suits: (shared: Shared, stream: Stream) => boolean = () => true,
): Shared | EmptyDraw {
  const stream = draws.stream('grammar')
  for (let tries = 0; tries < TRIES; tries++) {
    const size = drawSize(config, stream)
    const rules =
      config.form === 'cnf' || config.form === 'crossed'
        ? binaryRules(stream, size, config)
        : greibachRules(stream, size, config)
    if (rules === null) continue
    const sorted = [...rules.filter(({ left }) => left === 'S'), ...rules.filter(({ left }) => left !== 'S')]
    const grammar = sorted.map(printRule).join('\n')
    const shared: Shared =
      config.form === 'crossed' ? { grammar, pairs: drawArrangements(sorted, stream) } : { grammar }
    if (!isUsable(shared, rules, config, stream) || !draws.inSplit(keyOf(shared))) continue
    if (suits(shared, stream)) return shared
  }
  return {
    kind: 'unreachable',
    proved: false,
    reason: `none of ${TRIES} grammars of these sizes has strings of all lengths, is not trivial, suits the task and lies in the split`,
  }
}

/** Evenly on a log scale: a size is kept with a probability of low / size. */
function drawSize({ rules: { low, high } }: Dial, stream: Stream): number {
  for (;;) {
    const size = between(stream, low, high)
    if (float(stream) * size < low) return size
  }
}

/**
 * RELIC's sampler at a size that gives the load: load = rules / symbols^2 x (symbols a token)^2. Of grammars over pairs the
 * trees, whose leaves are pairs of tokens.
 */
function binaryRules(stream: Stream, size: number, { form, load, tokens }: Dial): readonly CfgRule[] | null {
  const leaves = form === 'crossed' ? sampleIndices(stream, tokens * tokens, PAIRS * tokens) : null
  const terminals = leaves?.length ?? tokens
  const grammar = trim(
    rawGrammar(stream, {
      terminals,
      nonterminals: Math.max(4, Math.round(Math.sqrt((size * CHOICE.cnf * CHOICE.cnf) / load))),
      lexical: CHOICE.cnf * terminals,
      binary: size,
    }),
  )
  if (grammar === null || grammar.binary.length / 3 < MIN_KEPT * size) return null
  const { rules } = cfgOf(grammar)
  if (leaves === null) return rules
  const pairOf = (name: string): CfgRule['right'] => {
    const leaf = leaves[Number(name.slice(1))]!
    return [terminal(`t${Math.floor(leaf / tokens)}`), terminal(`t${leaf % tokens}`)]
  }
  return rules.map((rule) =>
    rule.right[0]!.kind === 'terminal' ? { ...rule, right: pairOf(rule.right[0]!.name) } : rule,
  )
}

/** An arrangement for each rule of two symbols. */
const drawArrangements = (rules: readonly CfgRule[], stream: Stream): string => {
  const all = Object.keys(arrangements)
  return rules
    .map(({ left, right }) =>
      right[0]?.kind === 'terminal'
        ? ''
        : pick(
            stream,
            all.filter((text) => text.includes(',') === (left !== 'S')),
          ),
    )
    .join('\n')
}

/**
 * Greibach form: each symbol has CHOICE first tokens and load x tokens rules in all, with 0, 1, 2 or 2 symbols after the
 * token (regular: 0, 1, 1 or 1).
 */
function greibachRules(stream: Stream, size: number, { form, load, tokens }: Dial): readonly CfgRule[] | null {
  const choice = CHOICE.greibach
  const perSymbol = Math.max(choice, Math.round(load * tokens))
  const symbols = Math.max(3, Math.round(size / perSymbol))
  const lengths = form === 'regular' ? [0, 1, 1, 1] : [0, 1, 2, 2]
  const rules: CfgRule[] = []
  for (let symbol = 0; symbol <= symbols; symbol++) {
    const heads = sampleIndices(stream, tokens, choice)
    const seen = new Set<string>()
    for (let k = 0; k < perSymbol; k++) {
      const head = terminal(`t${heads[k % choice]}`)
      const tail = Array.from({ length: lengths[below(stream, 4)] as number }, () =>
        nonterminal(`NT${below(stream, symbols)}`),
      )
      const rule = { left: symbol === 0 ? 'S' : `NT${symbol - 1}`, right: [head, ...tail], weight: null }
      const text = printRule(rule)
      if (seen.has(text)) continue
      seen.add(text)
      rules.push(rule)
    }
  }
  const used = usefulRules('S', rules)
  return used.length < MIN_KEPT * size ? null : used
}

/**
 * Are there strings of every length (over pairs: every even one), and are fewer than 30 of 40 random strings of the greatest
 * in the language?
 */
function isUsable(shared: Shared, rules: readonly CfgRule[], { minLength, maxLength }: Dial, stream: Stream): boolean {
  const { lengths } = languageOf(shared, maxLength)
  const step = isCrossed(shared) ? 2 : 1
  const first = minLength + (isCrossed(shared) ? minLength % 2 : 0)
  for (let n = first; n <= maxLength; n += step) if (!derivesLength(lengths, 0, n)) return false
  const names = rules.flatMap(({ right }) => right.flatMap(({ kind, name }) => (kind === 'terminal' ? name : [])))
  const tokens = [...new Set(names)].map((name) => symbolsOf(shared).tokens.get(name)!)
  const { accepts } = recognizerOf(shared)
  let others = 0
  for (let k = 0; k < RANDOM; k++) {
    const string = Array.from({ length: maxLength }, () => tokens[below(stream, tokens.length)]!)
    if (others <= RANDOM - MAX_MEMBERS && !accepts(string)) others++
  }
  return others > RANDOM - MAX_MEMBERS
}
