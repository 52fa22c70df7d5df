import { canonicalJson } from '../../../core/canonical-json.ts'
import { defineTask, type Task } from '../../../core/define.ts'
import type { Json } from '../../../core/json.ts'
import { memoize } from '../../../core/memo.ts'
import { choiceParser } from '../../../libraries/language/choice-parser.ts'
import { branchOf } from '../../../libraries/language/taxonomy.ts'
import { type TokenCounters, tokenCounters } from '../../../libraries/language/tokens.ts'
import { syllogismAnalyses } from '../analyses/index.ts'
import { closedParsers, exactGrade, goldLine } from '../common/answers.ts'
import { presentable } from '../common/filler.ts'
import { least, wordPartition } from '../common/names.ts'
import { sharing, streamsOf } from '../common/presentation.ts'
import { asking, commonStyles } from '../common/prompt.ts'
import { type Config, config, curriculum, layout, type Plan, plan, presets } from './config.ts'
import { draw, features, type ItemFeatures } from './draw.ts'
import { oracle } from './oracle.ts'
import { wording } from './prompt.ts'
import { choices, type Given, type Proposition, type Question, type Shared } from './question.ts'
import { anonymize, baselines, declaredShortcuts, heuristics } from './shortcuts.ts'
import { checkSteps, solution } from './solution.ts'
import { check, drawings, witness } from './witness.ts'

const contentParameters = ['ask', 'terms', 'construction', 'existentialImport', 'nouns'] as const
const yesNo = choiceParser(['Yes', 'No'])
const conclusions = memoize((given: Given) => choiceParser(choices({ given }), { named: true }))
const readerOf = ({ given }: Question) => (given.ask.kind === 'judge' ? yesNo : conclusions(given))

/** The task, able to pad by these token counters. */
export const syllogismWith = (counters: TokenCounters): Task =>
  defineTask<Config, Plan, Shared, Given, string, ItemFeatures>({
    name: 'recoglab/syllogism',
    summary: 'Syllogisms over a path of terms: which conclusion follows, decided by 2-SAT',
    version: 4,
    scorerVersion: 7,
    promptVersion: 5,
    config: presentable(config, counters),
    curriculum,
    presets,
    features,
    plan,
    layout: (c, known, draws) => layout(c, known, streamsOf(c, draws)),
    group: sharing(config, counters, contentParameters, () => ({})),
    draw: (c, _shared, cell, draws) => draw(c, cell, streamsOf(c, draws)),
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
    partition: wordPartition((question: Question) => branchOf(least(question.given.terms))),
    declaredShortcuts,
    heuristics,
    baselines,
    drawings,
    analyses: syllogismAnalyses,
  })

export const syllogism = syllogismWith(tokenCounters)

/** Nouns count as content; the order of premises and of the two terms of E and I do not. */
function canonical({ given }: Question): string {
  const { ask, terms, existentialImport } = given
  const said = ([mood, s, p]: Proposition): string => {
    const [a, b] = mood === 'E' || mood === 'I' ? [Math.min(s, p), Math.max(s, p)] : [s, p]
    return `${mood} ${terms[a]} | ${terms[b]}`
  }
  const premises = given.premises.map(said).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const asked = ask.kind === 'judge' ? said(ask.conclusion) : `${terms[ask.subject]} | ${terms[ask.predicate]}`
  return canonicalJson({ premises, asked, existentialImport })
}

/** The statements, and the positions of subject and predicate by kind of statement. */
function pairSignature({ given }: Question): Json {
  const { ask, premises } = given
  const [subject, predicate] = ask.kind === 'judge' ? ask.conclusion.slice(1).map(Number) : [ask.subject, ask.predicate]
  const places = (term: number | undefined): Json =>
    premises
      .flatMap(([mood, s, p]) => [...(s === term ? [`${mood}s`] : []), ...(p === term ? [`${mood}p`] : [])])
      .sort()
  const said = premises.map(([mood, s, p]) => `${mood} ${s} ${p}`).sort()
  return { said, subject: places(subject), predicate: places(predicate) }
}
