import { editDistance } from '../../../core/edit-distance.ts'
import { isArray, isObject, type Json, type Problem, type Question } from '../../../core/index.ts'
import {
  aliveTokens,
  bestDerivation,
  derives,
  parsePcfg,
  textOf,
  tokensOf,
  yieldOf,
} from '../../../libraries/grammars/pcfg/index.ts'
import { languageOf } from '../languages/compiled.ts'
import { applyEdit, applyExchange } from './sampling/edits.ts'
import type { Given, RuleChange, Shared, Truth } from './types.ts'

/** Is the claimed truth so? Membership by a chart (Earley's, or deduction over a multiple context-free grammar), where the generator walks the prefix automaton or sums over pairs; edits replayed, k-grams counted. */
export function oracle({ shared, given }: Question<Shared, Given>, answer: Truth): boolean {
  const { grammar } = languageOf(shared.grammar)
  const member = (text: string) => {
    const tokens = tokensOf(grammar, text)
    return tokens !== null && tokens.length > 0 && derives(grammar, tokens)
  }
  if (member(given.text) !== answer.inside) return false
  if (answer.seen !== null) return answer.inside && shared.examples[answer.seen - 1] === given.text
  if (answer.changed !== null) return answer.source === null && isOfChanged(shared.grammar, given.text, answer.changed)
  if (answer.source === null) return answer.edits.length === 0 && answer.twin === null
  if (answer.inside || !member(answer.source)) return false
  const source = answer.source.split(' ')
  if (answer.twin !== null)
    return answer.edits.length === 0 && sameGrams(source, given.text.split(' '), answer.twin.order)
  const after = replay(source, answer)
  const apart = editDistance(source, given.text.split(' '))
  return after?.join(' ') === given.text && apart === answer.apart && apart <= answer.edits.length
}

/** Is the string one of the grammar with that rule changed? */
function isOfChanged(text: string, string: string, { rule, right }: RuleChange): boolean {
  const lines = text.split('\n')
  const line = lines.findIndex((one) => one.includes(' -> ')) + rule
  const grammar = parsePcfg(
    lines
      .with(
        line,
        (lines[line] ?? '').replace(/-> .* \[/u, () => `-> ${right} [`),
      )
      .join('\n'),
  )
  const tokens = tokensOf(grammar, string)
  return tokens !== null && derives(grammar, tokens)
}

/** Have two strings the same counts of all k-grams for k = 1 .. order, with the boundary before and behind as tokens? */
function sameGrams(a: readonly string[], b: readonly string[], order: number): boolean {
  for (let k = 1; k <= order; k++) {
    const [first, second] = [grams(a, k), grams(b, k)]
    if (first.length !== second.length || first.some((gram, i) => gram !== second[i])) return false
  }
  return true
}

function grams(tokens: readonly string[], k: number): string[] {
  const edge = Array.from({ length: k - 1 }, () => ' ')
  const all = [...edge, ...tokens, ...edge]
  return Array.from({ length: all.length - k + 1 }, (_, i) => all.slice(i, i + k).join('\n')).sort()
}

function replay(source: readonly string[], { edits, twin }: Truth): readonly string[] | null {
  let tokens: readonly string[] | null = source
  for (const exchange of twin?.exchanges ?? []) tokens = tokens === null ? null : applyExchange(tokens, exchange)
  for (const edit of edits) tokens = tokens === null ? null : applyEdit(tokens, edit)
  return tokens
}

/**
 * `derivation`: rule numbers of a leftmost derivation of the string, or of the string it was edited from; null for an
 * unrelated one. `dead`: tokens of the longest prefix of a string outside that begins some string of the language.
 */
export function witness({ shared, given, answer }: Problem<Shared, Given, Truth>): Json {
  const language = languageOf(shared.grammar)
  const { grammar } = language
  const derived = answer.inside ? given.text : answer.source
  const derivation = derived === null ? null : bestDerivation(grammar, tokensOf(grammar, derived) ?? [])
  if (answer.inside) return { derivation, dead: null }
  const dead = language.alive(tokensOf(grammar, given.text) ?? [])
  return { derivation, dead }
}

export function check({ shared, given, answer }: Problem<Shared, Given, Truth>, proof: Json): boolean {
  if (!isObject(proof)) return false
  const { grammar } = languageOf(shared.grammar)
  const { derivation, dead } = proof
  const derived = answer.inside ? given.text : answer.source
  if (derived !== null) {
    if (derivation === undefined || !isArray(derivation) || !derivation.every((r) => typeof r === 'number'))
      return false
    const tokens = yieldOf(grammar, derivation)
    if (tokens === null || textOf(grammar, tokens) !== derived) return false
    if (!answer.inside && replay(derived.split(' '), answer)?.join(' ') !== given.text) return false
  }
  return answer.inside ? dead === null : typeof dead === 'number' && isDead(shared.grammar, given.text, dead)
}

/** Read `dead` tokens; then the next one, or the end, must be impossible. */
function isDead(text: string, string: string, dead: number): boolean {
  const { grammar } = languageOf(text)
  const tokens = tokensOf(grammar, string)
  if (tokens === null || !Number.isInteger(dead) || dead < 0 || dead > tokens.length) return false
  return aliveTokens(grammar, tokens) === dead && (dead < tokens.length || !derives(grammar, tokens))
}
