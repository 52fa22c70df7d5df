import { canonicalJson } from '../../../core/canonical-json.ts'
import { defineTask, type Task } from '../../../core/define.ts'
import { distancesFrom, neighbours } from '../../../libraries/graphs/graph.ts'
import { choiceParser } from '../../../libraries/language/choice-parser.ts'
import { type TokenCounters, tokenCounters } from '../../../libraries/language/tokens.ts'
import { comparisonAnalyses } from '../analyses/index.ts'
import { closedParsers, exactGrade, goldLine } from '../common/answers.ts'
import { presentable } from '../common/filler.ts'
import { least, wordPartition } from '../common/names.ts'
import { sharing, streamsOf } from '../common/presentation.ts'
import { asking, commonStyles } from '../common/prompt.ts'
import { type Config, config, curriculum, presets } from './config.ts'
import { draw, features, type ItemFeatures } from './draw.ts'
import { formInSplit, layout, type Plan, plan } from './layout.ts'
import { oracle } from './oracle.ts'
import { drawings, wording } from './prompt.ts'
import { choices, type Given, type Question, type Shared } from './question.ts'
import { anonymize, baselines, countsAround, declaredShortcuts, heuristics } from './shortcuts.ts'
import { check, checkSteps, solution, witness } from './witness.ts'

const readers = {
  order: choiceParser(['Yes', 'No']),
  open: choiceParser(['Yes', 'No', 'Unknown']),
  consistency: choiceParser(['Consistent', 'Inconsistent']),
}
const readerOf = ({ given: { ask } }: Question) =>
  ask.kind === 'consistency' ? readers.consistency : ask.open ? readers.open : readers.order

/** The content parameters that solved examples need, where they differ from the default. */
const contentParameters = [
  'ask',
  'network',
  'entities',
  'relation',
  'entityKind',
  'congruency',
  'separation',
  'minRatio',
  'minDistance',
  'maxDistance',
  'endpoints',
  'entityOrder',
] as const

/** The task, able to pad by these token counters. */
export const comparisonWith = (counters: TokenCounters): Task =>
  defineTask<Config, Plan, Shared, Given, string, ItemFeatures>({
    name: 'recoglab/comparison',
    summary:
      'Transitive inference over statements about age, size or weight; feasibility and consistency of statements',
    version: 5,
    scorerVersion: 7,
    promptVersion: 4,
    config: presentable(config, counters),
    curriculum,
    presets,
    features,
    plan,
    layout: (c, known, draws) => layout(c, known, streamsOf(c, draws)),
    group: sharing(config, counters, contentParameters, ({ statementWords }) => ({ statementWords }), formInSplit),
    draw: (c, _shared, cell, draws, inGroup) => draw(c, cell, streamsOf(c, c.pairing === 'flip' ? inGroup : draws)),
    styles: commonStyles,
    ...asking(wording, counters),
    parsers: closedParsers(readerOf),
    grade: exactGrade,
    gold: goldLine,
    oracle,
    witness,
    check,
    solution,
    checkSteps,
    choices,
    anonymize,
    canonical,
    pairSignature,
    partition: wordPartition((question: Question) => least(question.given.entities)),
    declaredShortcuts,
    heuristics,
    baselines,
    drawings,
    analyses: comparisonAnalyses,
  })

export const comparison = comparisonWith(tokenCounters)

/** Names count as content; the order of statements, the side they begin with and turning the question round do not. */
function canonical({ given }: Question): string {
  const { ask, entities } = given
  const nameOf = (i: number): string => entities[i] as string
  const statements = given.statements
    .map(([u, v]) => `${nameOf(u)} < ${nameOf(v)}`)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const asked =
    ask.kind === 'consistency'
      ? 'consistency'
      : ask.word === 'lesser'
        ? `${nameOf(ask.first)} < ${nameOf(ask.second)}`
        : `${nameOf(ask.second)} < ${nameOf(ask.first)}`
  return canonicalJson({ relation: given.relation, statements, asked })
}

/** What counting sees; at distances below three the neighbours are the proof and are not included. */
function pairSignature({ given }: Question): string {
  const { ask, entities, statements } = given
  if (ask.kind === 'consistency') return countsAround(entities.length, statements, [])
  const near = distancesFrom(neighbours({ n: entities.length, edges: statements }), ask.first)[ask.second] as number
  return countsAround(entities.length, statements, near < 3 ? [] : [ask.first, ask.second])
}
