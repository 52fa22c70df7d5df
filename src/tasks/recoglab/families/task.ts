import { canonicalJson } from '../../../core/canonical-json.ts'
import { defineTask, type Task } from '../../../core/define.ts'
import type { Json } from '../../../core/json.ts'
import { type TokenCounters, tokenCounters } from '../../../libraries/language/tokens.ts'
import { familiesAnalyses } from '../analyses/index.ts'
import { exactGrade, goldLine } from '../common/answers.ts'
import { least, wordFence } from '../common/fence.ts'
import { presentable } from '../common/filler.ts'
import { sharing } from '../common/sharing.ts'
import { commonStyles } from '../common/styles.ts'
import { requestOf } from '../common/wording.ts'
import { type Config, config } from './config.ts'
import { draw } from './draw.ts'
import { features, type ItemFeatures } from './features.ts'
import { layout } from './layout.ts'
import { levels } from './levels.ts'
import { parsers } from './parsers.ts'
import { presets } from './presets.ts'
import { wording } from './prompt.ts'
import { choices, type Given, type Question, type Shared } from './question.ts'
import { baselines } from './shortcuts/baselines.ts'
import { cues } from './shortcuts/cues.ts'
import { heuristics } from './shortcuts/heuristics.ts'
import { oracle } from './truth/oracle.ts'
import { solution, stated } from './truth/solution.ts'
import { check, witness } from './truth/witness.ts'
import { view } from './view.ts'
import { allWords } from './writing/words.ts'

const contentKnobs = ['ask', 'families', 'maxMembers', 'hopLength', 'ties'] as const

/** The task, able to pad by these token counters. */
export const familiesWith = (counters: TokenCounters): Task =>
  defineTask<Config, null, Shared, Given, string, ItemFeatures>({
    name: 'recoglab/families',
    summary: 'Records of families as JSON, YAML, XML or prose: sizes, ages and hobbies looked up and compared',
    version: 2,
    scorerVersion: 4,
    promptVersion: 3,
    config: presentable(config, counters),
    curriculum: levels,
    presets,
    features,
    layout,
    group: sharing(config, contentKnobs, ({ format }) => ({ format })),
    draw: (c, _shared, cell, draws) => draw(c, cell, draws),
    styles: commonStyles,
    request: requestOf(wording, counters),
    parsers,
    grade: exactGrade,
    gold: goldLine,
    oracle,
    witness,
    check,
    solution,
    checkSteps: stated,
    choices,
    canonical: ({ given }: Question) => canonicalJson(given as Json),
    partition: wordFence((question: Question) => least(allWords(question.given))),
    declaredShortcuts: cues,
    heuristics,
    baselines,
    drawings: view,
    analyses: familiesAnalyses,
  })

export const families = familiesWith(tokenCounters)
