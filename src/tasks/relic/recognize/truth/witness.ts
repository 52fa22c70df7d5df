import { isArray, isObject, type Json, type Problem } from '../../../../core/index.ts'
import { bigramVerdict } from '../../../../libraries/grammars/grammar/adjacency.ts'
import {
  checkClosedChart,
  checkDerivation,
  checkForbiddenToken,
} from '../../../../libraries/grammars/witness/checks.ts'
import { adjacencyOf, analyzerOf, compiled, tokensOf } from '../compiled.ts'
import type { Given, Shared } from '../prompt.ts'

type RelicProblem = Problem<Shared, Given, boolean>

/**
 * Of a positive, its derivation: rule numbers in leftmost order. Of a negative, the place that no string allows, or a
 * chart closed under all rules without S over the whole string (integrity 4.1).
 */
export function witness(problem: RelicProblem): Json {
  const grammar = compiled(problem.shared)
  const analyzer = analyzerOf(problem.shared)
  const tokens = tokensOf(problem)
  if (problem.answer) return { kind: 'derivation', rules: analyzer.derivation(tokens) ?? [] }
  const verdict = bigramVerdict(adjacencyOf(problem.shared), tokens)
  if ('at' in verdict && checkForbiddenToken(grammar, tokens, verdict.at))
    return { kind: 'illegal-place', at: verdict.at }
  return { kind: 'closed-chart', spans: analyzer.chart(tokens).cells() }
}

/** Accepts the problem's answer only where the witness proves it. */
export function check(problem: RelicProblem, proof: Json): boolean {
  if (!isObject(proof)) return false
  const grammar = compiled(problem.shared)
  const tokens = tokensOf(problem)
  const { kind, rules, spans, at } = proof as { readonly [key: string]: Json | undefined }
  if (problem.answer) return kind === 'derivation' && isNumbers(rules) && checkDerivation(grammar, tokens, rules)
  if (kind === 'illegal-place') return typeof at === 'number' && checkForbiddenToken(grammar, tokens, at)
  return (
    kind === 'closed-chart' &&
    spans !== undefined &&
    isArray(spans) &&
    spans.every(isNumbers) &&
    checkClosedChart(grammar, tokens, spans)
  )
}

const isNumbers = (value: Json | undefined): value is readonly number[] =>
  value !== undefined && isArray(value) && value.every((part) => typeof part === 'number')
