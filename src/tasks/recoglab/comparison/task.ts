import { canonicalJson } from '../../../core/canonical-json.ts'
import { defineTask, type Task } from '../../../core/define.ts'
import { distancesFrom, neighbours } from '../../../libraries/graphs/graph.ts'
import { choiceParser } from '../../../libraries/language/choice-parser.ts'
import { type TokenCounters, tokenCounters } from '../../../libraries/language/tokens.ts'
import { comparisonAnalyses } from '../analyses/index.ts'
import { closedParsers, exactGrade, goldLine } from '../common/answers.ts'
import { least, wordFence } from '../common/fence.ts'
import { presentable } from '../common/filler.ts'
import { sharing } from '../common/sharing.ts'
import { commonStyles } from '../common/styles.ts'
import { requestOf } from '../common/wording.ts'
import { type Config, config } from './config.ts'
import { countsAround } from './counts.ts'
import { draw } from './draw.ts'
import { features, type ItemFeatures } from './features.ts'
import { layout, type Plan, plan } from './layout.ts'
import { levels } from './levels.ts'
import { presets } from './presets.ts'
import { wording } from './prompt.ts'
import { choices, type Given, type Question, type Shared } from './question.ts'
import { baselines } from './shortcuts/baselines.ts'
import { cues } from './shortcuts/cues.ts'
import { heuristics } from './shortcuts/heuristics.ts'
import { structure } from './shortcuts/structure.ts'
import { oracle } from './truth/oracle.ts'
import { solution, stated } from './truth/solution.ts'
import { check, witness } from './truth/witness.ts'
import { view } from './view.ts'

const readers = {
  order: choiceParser(['Yes', 'No']),
  open: choiceParser(['Yes', 'No', 'Unknown']),
  consistency: choiceParser(['Consistent', 'Inconsistent']),
}
const readerOf = ({ given: { ask } }: Question) =>
  ask.kind === 'consistency' ? readers.consistency : ask.open ? readers.open : readers.order

/** The content knobs that solved examples need, where they differ from the default. */
const contentKnobs = [
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
    version: 3,
    scorerVersion: 4,
    promptVersion: 2,
    config: presentable(config, counters),
    curriculum: levels,
    presets,
    features,
    plan,
    layout,
    group: sharing(config, contentKnobs, ({ statementWords }) => ({ statementWords })),
    draw: (c, _shared, cell, draws, inGroup) => draw(c, cell, c.pairing === 'flip' ? inGroup : draws),
    styles: commonStyles,
    request: requestOf(wording, counters),
    parsers: closedParsers(readerOf),
    grade: exactGrade,
    gold: goldLine,
    oracle,
    witness,
    check,
    solution,
    checkSteps: stated,
    choices,
    anonymize: structure,
    canonical,
    pairSignature: signature,
    partition: wordFence((question: Question) => least(question.given.entities)),
    declaredShortcuts: cues,
    heuristics,
    baselines,
    drawings: view,
    analyses: comparisonAnalyses,
  })

export const comparison = comparisonWith(tokenCounters)

/** Names count as content; the order of statements, the side they begin with and turning the question round do not. */
function canonical({ given }: Question): string {
  const { ask, entities } = given
  const said = (i: number): string => entities[i] as string
  const statements = given.statements
    .map(([u, v]) => `${said(u)} < ${said(v)}`)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const asked =
    ask.kind === 'consistency'
      ? 'consistency'
      : ask.word === 'lesser'
        ? `${said(ask.first)} < ${said(ask.second)}`
        : `${said(ask.second)} < ${said(ask.first)}`
  return canonicalJson({ relation: given.relation, statements, asked })
}

/** What counting sees of the statements and next to those asked about (nearer than three statements these are the proof). */
function signature({ given }: Question): string {
  const { ask, entities, statements } = given
  if (ask.kind === 'consistency') return countsAround(entities.length, statements, [])
  const near = distancesFrom(neighbours({ n: entities.length, edges: statements }), ask.first)[ask.second] as number
  return countsAround(entities.length, statements, near < 3 ? [] : [ask.first, ask.second])
}
