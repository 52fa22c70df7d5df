import { defineTask } from '../../../core/index.ts'
import { dials } from '../grammars/analyses.ts'
import { styles } from '../grammars/asking.ts'
import { drawGrammar } from '../grammars/draw.ts'
import { stringChart } from '../grammars/drawings.ts'
import { liftedOf } from '../grammars/grammar.ts'
import { anonymize } from '../recognize/anonymized.ts'
import { grammarKey } from '../recognize/grammars/canonical.ts'
import { grade, parsers } from './answers.ts'
import { baselines } from './baselines.ts'
import { ANSWERS, configSchema, curriculum, dialOf, layout, presets } from './config.ts'
import { draw, features, isAmbiguous } from './draw.ts'
import { oracle } from './oracle.ts'
import { request } from './prompt.ts'
import { check, checkSteps, gold, solution, witness } from './truth.ts'

export const count = defineTask({
  name: 'relic/count',
  summary: 'How many derivations does this string have?',
  version: 1,
  scorerVersion: 1,
  promptVersion: 1,
  config: configSchema,
  curriculum,
  presets,
  features,
  layout: (config, _plan, draws) => layout(config, draws),
  group: (config, _plan, _group, draws) =>
    drawGrammar(dialOf(config), draws, (shared, stream) => isAmbiguous(config, shared, stream)),
  draw,
  styles,
  request,
  parsers,
  grade,
  choices: () => ANSWERS.map(String),
  gold,
  oracle,
  witness,
  check,
  solution,
  checkSteps,
  drawings: ({ shared, given }) => [stringChart(shared, given.string)],
  anonymize,
  partition: {
    domain: 'relic/grammar',
    keyVersion: 1,
    of: 'group',
    key: ({ shared }) => grammarKey(liftedOf(shared).cnf),
  },
  baselines,
  analyses: [dials('count')],
})
