import { canonicalJson } from '../../../core/canonical-json.ts'
import { defineTask, type Task } from '../../../core/define.ts'
import type { Json } from '../../../core/json.ts'
import { type TokenCounters, tokenCounters } from '../../../libraries/language/tokens.ts'
import { familiesAnalyses } from '../analyses/index.ts'
import { exactGrade, goldLine } from '../common/answers.ts'
import { presentable } from '../common/filler.ts'
import { least, wordPartition } from '../common/names.ts'
import { sharing, streamsOf } from '../common/presentation.ts'
import { asking, commonStyles } from '../common/prompt.ts'
import { type Config, config, curriculum, layout, presets } from './config.ts'
import { draw, features, type ItemFeatures } from './draw.ts'
import { drawings } from './drawings.ts'
import { oracle } from './oracle.ts'
import { parsers } from './parsers.ts'
import { allWords, wording } from './prompt.ts'
import { choices, type Given, type Question, type Shared } from './question.ts'
import { baselines, declaredShortcuts, heuristics } from './shortcuts.ts'
import { check, checkSteps, solution, witness } from './witness.ts'

const contentParameters = ['ask', 'families', 'maxMembers', 'hopLength', 'ties'] as const

/** The task, able to pad by these token counters. */
export const familiesWith = (counters: TokenCounters): Task =>
  defineTask<Config, null, Shared, Given, string, ItemFeatures>({
    name: 'recoglab/families',
    summary: 'Records of families as JSON, YAML, XML or prose: sizes, ages and hobbies looked up and compared',
    version: 3,
    scorerVersion: 7,
    promptVersion: 6,
    config: presentable(config, counters),
    curriculum,
    presets,
    features,
    layout: (c, known, draws) => layout(c, known, streamsOf(c, draws)),
    group: sharing(config, counters, contentParameters, ({ format }) => ({ format })),
    draw: (c, _shared, cell, draws) => draw(c, cell, streamsOf(c, draws)),
    styles: commonStyles,
    ...asking(wording, counters),
    parsers,
    grade: exactGrade,
    gold: goldLine,
    oracle,
    witness,
    check,
    solution,
    checkSteps,
    choices,
    canonical: ({ given }: Question) => canonicalJson(given as Json),
    partition: wordPartition((question: Question) => least(allWords(question.given))),
    declaredShortcuts,
    heuristics,
    baselines,
    drawings,
    analyses: familiesAnalyses,
  })

export const families = familiesWith(tokenCounters)
