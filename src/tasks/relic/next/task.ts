import { defineTask } from '../../../core/index.ts'
import { dials } from '../grammars/analyses.ts'
import { styles } from '../grammars/asking.ts'
import { layout } from '../grammars/dial.ts'
import { drawGrammar } from '../grammars/draw.ts'
import { liftedOf } from '../grammars/grammar.ts'
import { grammarKey } from '../recognize/grammars/canonical.ts'
import { grade, parsers } from './answers.ts'
import { baselines } from './baselines.ts'
import { configSchema, curriculum, presets } from './config.ts'
import { draw, features } from './draw.ts'
import { oracle } from './oracle.ts'
import { request } from './prompt.ts'
import { check, checkSteps, drawings, gold, solution, witness } from './truth.ts'

export const next = defineTask({
  name: 'relic/next',
  summary: 'Which tokens can follow this beginning of a string?',
  version: 1,
  scorerVersion: 1,
  promptVersion: 1,
  config: configSchema,
  curriculum,
  presets,
  features,
  layout: (config, _plan, draws) => layout(config, draws),
  group: (config, _plan, _group, draws) => drawGrammar(config, draws),
  draw,
  styles,
  request,
  parsers,
  grade,
  tieBreaker: 'set',
  gold,
  oracle,
  witness,
  check,
  solution,
  checkSteps,
  drawings,
  partition: {
    domain: 'relic/grammar',
    keyVersion: 1,
    of: 'group',
    key: ({ shared }) => grammarKey(liftedOf(shared).cnf),
  },
  baselines,
  analyses: [dials('next')],
})
