import { defineTask, type Json } from '../../../core/index.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import { orders, rulesOnly } from '../analyses/audits.ts'
import { reorderAnalyses } from '../analyses/index.ts'
import { pairsPartition, scrambledKey } from '../canonical.ts'
import { cascadeProof, cascadeStated } from '../witness.ts'
import { type Config, config, curriculum, presets } from './config.ts'
import { draw, layout } from './draw.ts'
import { features, type ItemFeatures } from './features.ts'
import { gradeOrder } from './grade.ts'
import { orderIsRight } from './oracle.ts'
import { orderParsers } from './parsers.ts'
import { parts, request, styles } from './prompt.ts'
import { allOrders, answerText, baselines, declaredShortcuts, heuristics } from './shortcuts.ts'
import { inOrder, type OrderAnswer, type Scrambled } from './types.ts'

/** Put a scrambled cascade back in an order that works (PBEBench-Lite-Perm). */
export const reorder = defineTask<Config, null, Json, Scrambled, OrderAnswer, ItemFeatures>({
  name: 'pbebench/reorder',
  summary: 'Find an order of given replace rules that turns every input word into its output word',
  version: 3,
  scorerVersion: 5,
  promptVersion: 3,
  config,
  curriculum,
  presets,
  features,
  layout: (c, _plan, draws) => layout(c, null, draws),
  draw: (c, _shared, at, draws) => draw(c, null, at, draws),
  styles,
  request: (question, style) => request(question, style),
  parts,
  parsers: orderParsers,
  grade: ({ given, answer: truth }, answer) => gradeOrder(given, truth, answer),
  ...cascadeProof<Scrambled, OrderAnswer>(
    ({ given, answer }) => inOrder(given.rules, answer.order),
    ({ order }) => answerText(order),
    ['Words after each rule, in an order that works', 'input'],
  ),
  canonical: ({ given }) => scrambledKey(given, given.rules),
  oracle: ({ given }, answer) => orderIsRight(given, answer),
  checkSteps: ({ given }, text) => cascadeStated(given, text, (rules) => orderOf(given.rules, rules)),
  partition: pairsPartition,
  analyses: reorderAnalyses,
  audits: [orders, rulesOnly],
  choices: ({ given }) => allOrders(given.rules).map(answerText),
  baselines,
  heuristics,
  declaredShortcuts,
})

/** An order of the rules as it is answered; null where it leaves one out or has another. */
function orderOf(rules: readonly Rule[], cascade: readonly Rule[]): string | null {
  const left = rules.map((rule, k) => ({ rule, k }))
  const order = cascade.map(([from, to]) => {
    const at = left.findIndex(({ rule }) => rule[0] === from && rule[1] === to)
    return at === -1 ? null : (left.splice(at, 1)[0]?.k ?? null)
  })
  return left.length > 0 || order.includes(null) ? null : answerText(order.filter((k) => k !== null))
}
