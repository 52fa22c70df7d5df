import { defineTask } from '../../../core/define.ts'
import type { RandomStreams } from '../../../core/task.ts'
import { clutrrAnalyses } from '../analyses/nulls.ts'
import { type Config, config } from './config.ts'
import { draw } from './draw.ts'
import { features, type ItemFeatures } from './features.ts'
import { fenceKey } from './fence.ts'
import { layout } from './layout.ts'
import { levels } from './levels.ts'
import { presets } from './presets.ts'
import { request, styles } from './prompt.ts'
import { type Answer, choices, type Given, type Shared } from './question.ts'
import { parsers } from './reading/parsers.ts'
import { stated } from './reading/stated.ts'
import { baselines } from './shortcuts/baselines.ts'
import { heuristics } from './shortcuts/heuristics.ts'
import { canonical, signature, structure } from './shortcuts/structure.ts'
import { oracle } from './truth/oracle.ts'
import { check, solution, witness } from './truth/witness.ts'
import { view } from './view.ts'

export const kinship = defineTask<Config, null, Shared, Given, Answer, ItemFeatures>({
  name: 'clutrr/kinship',
  summary: 'How is one relative related to another? A chain of sentences about a family has to be put together',
  version: 1,
  scorerVersion: 2,
  promptVersion: 1,
  config,
  curriculum: levels,
  presets,
  features,
  layout,
  group: (c, _plan, _group, draws: RandomStreams) => {
    const stream = draws.stream('view')
    return { order: c.order, view: [stream.u32(), stream.u32(), stream.u32(), stream.u32()] }
  },
  draw: (c, _shared, cell, draws) => draw(c, cell, draws),
  styles,
  request: (question, style) => request(question, style),
  parsers,
  grade: (problem, answer) => ({ value: answer === problem.answer ? 1 : 0 }),
  gold: ({ answer }) => `Answer: ${answer}`,
  oracle,
  witness,
  check,
  solution,
  checkSteps: stated,
  anonymize: structure,
  pairSignature: signature,
  choices,
  canonical,
  partition: {
    domain: 'clutrr/names/1',
    keyVersion: 1,
    of: 'item',
    key: ({ given }) => fenceKey(given.kind === 'facts' ? given.people : [given.story]),
  },
  heuristics,
  baselines,
  drawings: view,
  analyses: clutrrAnalyses,
})
