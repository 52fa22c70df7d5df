import type { Grade } from '../../../core/index.ts'
import { BLEEDS, type Classifier, FEEDS, type Rule, relate, runCascade } from '../../../libraries/rewriting/index.ts'
import { factorial } from './orders.ts'
import { inOrder, isOrder, type OrderAnswer, type Scrambled, type Work } from './types.ts'

/**
 * Runs the rules in the given order: score 1 if the outputs result, from the planted order or another. Subscores:
 * `planted` (the planted order), and counts in the response: statements of relations and how many hold under each
 * classifier, statements of precedence and how many the order keeps, orders tried and their share of all, whether
 * counter-relations are named, and the length.
 */
export function gradeOrder(question: Scrambled, truth: OrderAnswer, answer: OrderAnswer): Grade {
  const { inputs, outputs, rules } = question
  const { order, work } = answer
  const parts = work === undefined ? {} : workParts(rules, order, work)
  if (!isOrder(order, rules.length)) return { value: 0, parts: { ...parts, planted: 0 } }
  const words = runCascade(inputs, inOrder(rules, order))
  const planted = order.every((k, position) => k === truth.order[position])
  return {
    value: words.every((word, i) => word === outputs[i]) ? 1 : 0,
    parts: { ...parts, planted: planted ? 1 : 0 },
  }
}

function workParts(rules: readonly Rule[], order: readonly number[], work: Work): { [name: string]: number } {
  const holds = (classifier: Classifier) =>
    work.relations.filter(([kind, from, to]) => {
      const bits = relate(classifier)(rules[from as number] as Rule, (rules[to as number] as Rule)[0])
      return (bits & (kind === 1 ? FEEDS : BLEEDS)) !== 0
    }).length
  const kept = work.precedences.filter(([a, b]) => order.indexOf(a as number) < order.indexOf(b as number)).length
  const reasoned = work.relations.length + work.precedences.length > 0
  return {
    relationsSaid: work.relations.length,
    relationsTruePaper: holds('paper'),
    relationsTrueExact: holds('exact'),
    precedencesSaid: work.precedences.length,
    precedencesKept: kept,
    precedencesReversed: work.precedences.length - kept,
    ordersTried: work.tried,
    ordersShare: work.tried / factorial(rules.length),
    constraints: reasoned ? 1 : 0,
    enumeration: work.tried >= 3 ? 1 : 0,
    neither: !reasoned && work.tried < 3 ? 1 : 0,
    counterNamed: work.counter ? 1 : 0,
    responseLength: work.length,
  }
}
