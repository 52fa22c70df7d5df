import { canonicalJson } from '../../../core/canonical-json.ts'
import { defineTask, type Task } from '../../../core/define.ts'
import { type TokenCounters, tokenCounters } from '../../../libraries/language/tokens.ts'
import { socialAnalyses } from '../analyses/index.ts'
import { presentable } from '../common/filler.ts'
import { least, wordPartition } from '../common/names.ts'
import { sharing, streamsOf } from '../common/presentation.ts'
import { asking, commonStyles } from '../common/prompt.ts'
import { type Config, config, curriculum, presets } from './config.ts'
import { draw, features, type ItemFeatures, layout, type Plan, plan } from './draw.ts'
import { oracle } from './oracle.ts'
import { goldText, parsers } from './parsers.ts'
import { drawings, wording } from './prompt.ts'
import { type Answer, choices, type Given, type Question, type Shared } from './question.ts'
import { isDirected } from './relations.ts'
import { anonymize, baselines, declaredShortcuts, heuristics } from './shortcuts.ts'
import { check, checkSteps, solution, witness } from './witness.ts'

/** The content parameters that solved examples need. */
const contentParameters = [
  'ask',
  'network',
  'people',
  'edgePerMille',
  'columns',
  'communities',
  'graph',
  'relation',
  'passing',
  'minDistance',
  'maxDistance',
  'endpoints',
  'candidates',
  'alikeWithin',
] as const

/** The task, able to pad by these token counters. */
export const socialWith = (counters: TokenCounters): Task =>
  defineTask<Config, Plan, Shared, Given, Answer, ItemFeatures>({
    name: 'recoglab/social',
    summary:
      'Passing messages through a network of people: next hop, number of hops, exact path; generations of a family',
    version: 4,
    scorerVersion: 7,
    promptVersion: 6,
    config: presentable(config, counters),
    curriculum,
    presets,
    features,
    plan,
    layout: (c, known, draws) => layout(c, known, streamsOf(c, draws)),
    group: sharing(config, counters, contentParameters, ({ wording, nameOrder }) => ({ wording, nameOrder })),
    draw: (c, _shared, cell, draws) => draw(c, cell, streamsOf(c, draws)),
    styles: [...commonStyles, 'json', 'arrows'],
    ...asking(wording, counters),
    parsers,
    grade: ({ shared, given, answer: truth }, answer) => ({ value: right({ shared, given }, truth, answer) ? 1 : 0 }),
    gold: goldText,
    oracle,
    witness,
    check,
    solution,
    checkSteps,
    choices,
    anonymize,
    canonical,
    partition: wordPartition((question: Question) => least(question.given.people)),
    declaredShortcuts,
    heuristics,
    baselines,
    drawings,
    analyses: socialAnalyses,
  })

export const social = socialWith(tokenCounters)

/** Ways are verified by length and edges against one shortest way; names by membership; numbers by equality. */
function right({ given }: Question, truth: Answer, answer: Answer): boolean {
  if (answer.length === 0) return false
  const { ask, people, edges, oneWay } = given
  if (ask.kind !== 'path') return answer.every((said) => truth.includes(said))
  if (answer.length !== truth.length || answer[0] !== truth[0] || answer.at(-1) !== truth.at(-1)) return false
  const linked = new Set(edges.flatMap(([u, v]) => (oneWay ? [`${u} ${v}`] : [`${u} ${v}`, `${v} ${u}`])))
  const at = answer.map((name) => people.indexOf(name))
  return at.every((v, i) => i === 0 || linked.has(`${at[i - 1]} ${v}`))
}

/** Names count as content; the order of statements and, for symmetric relations, of the two names do not. */
function canonical({ given }: Question): string {
  const { ask, people, edges, relation, oneWay } = given
  const directed = isDirected(relation)
  const said = (v: number): string => people[v] as string
  const statements = edges
    .map(([u, v]) => (directed || u < v ? `${said(u)} - ${said(v)}` : `${said(v)} - ${said(u)}`))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const asked = 'from' in ask ? [said(ask.from), said(ask.to)] : []
  return canonicalJson({ relation, oneWay, statements, ask: ask.kind, asked })
}
