import { defineTask } from '../../../core/index.ts'
import { dials } from '../grammars/analyses.ts'
import { styles } from '../grammars/asking.ts'
import { drawGrammar } from '../grammars/draw.ts'
import { stringDrawing } from '../grammars/drawings.ts'
import { liftedOf } from '../grammars/grammar.ts'
import { grammarKey } from '../recognize/grammars/canonical.ts'
import { baselines } from './baselines.ts'
import { configSchema, curriculum, layout, presets } from './config.ts'
import { draw, features } from './draw.ts'
import { oracle } from './oracle.ts'
import { request } from './prompt.ts'
import { check, checkSteps, gold, grade, parsers, solution, witness } from './truth.ts'

export const repair = defineTask({
  name: 'relic/repair',
  summary: 'Change this string into one of the language with the fewest edits',
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
  tieBreaker: 'excess',
  gold,
  oracle,
  witness,
  check,
  solution,
  checkSteps,
  drawings: ({ shared, answer }) => stringDrawing(shared, answer.join(' ')),
  partition: {
    domain: 'relic/grammar',
    keyVersion: 1,
    of: 'group',
    key: ({ shared }) => grammarKey(liftedOf(shared).cnf),
  },
  baselines,
  analyses: [dials('repair')],
})
