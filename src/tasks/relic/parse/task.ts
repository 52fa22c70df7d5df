import { defineTask } from '../../../core/index.ts'
import { dials } from '../grammars/analyses.ts'
import { styles } from '../grammars/asking.ts'
import { layout } from '../grammars/dial.ts'
import { drawGrammar } from '../grammars/draw.ts'
import { treeDrawing } from '../grammars/drawings.ts'
import { liftedOf } from '../grammars/grammar.ts'
import { grammarKey } from '../recognize/grammars/canonical.ts'
import { baselines } from './baselines.ts'
import { configSchema, curriculum, presets } from './config.ts'
import { draw, features } from './draw.ts'
import { grade } from './grade.ts'
import { oracle } from './oracle.ts'
import { lenient, strict } from './parsers.ts'
import { request } from './prompt.ts'
import { check, checkSteps, gold, solution, witness } from './truth.ts'

export const parse = defineTask({
  name: 'relic/parse',
  summary: 'Give a derivation of this string',
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
  parsers: { strict, lenient },
  grade,
  tieBreaker: 'nodes',
  gold,
  oracle,
  witness,
  check,
  solution,
  checkSteps,
  drawings: ({ shared, answer }) => treeDrawing(shared, answer),
  partition: {
    domain: 'relic/grammar',
    keyVersion: 1,
    of: 'group',
    key: ({ shared }) => grammarKey(liftedOf(shared).cnf),
  },
  baselines,
  analyses: [dials('parse')],
})
