import { defineTask } from '../../../core/define.ts'
import type { RandomStreams } from '../../../core/task.ts'
import { nulls } from '../analyses/nulls.ts'
import { type Config, config, curriculum, presets } from './config.ts'
import { draw, features, type ItemFeatures, layout } from './draw.ts'
import { drawings } from './drawings.ts'
import { oracle } from './oracle.ts'
import { parsers } from './parsers.ts'
import { parts, request, styles } from './prompt.ts'
import { type Answer, choices, type Given, partitionKey, type Shared } from './question.ts'
import { anonymize, baselines, canonical, declaredShortcuts, heuristics } from './shortcuts.ts'
import { check, checkSteps, solution, witness } from './witness.ts'

export const kinship = defineTask<Config, null, Shared, Given, Answer, ItemFeatures>({
  name: 'clutrr/kinship',
  summary: 'How is one relative related to another? Composes a chain of sentences about a family',
  version: 3,
  scorerVersion: 5,
  promptVersion: 2,
  config,
  curriculum,
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
  parts,
  parsers,
  grade: (problem, answer) => ({ value: answer === problem.answer ? 1 : 0 }),
  gold: ({ answer }) => `Answer: ${answer}`,
  oracle,
  witness,
  check,
  solution,
  checkSteps,
  anonymize,
  declaredShortcuts,
  choices,
  canonical,
  partition: {
    domain: 'clutrr/names/1',
    keyVersion: 1,
    of: 'item',
    key: ({ given }) => partitionKey(given.kind === 'facts' ? given.people : [given.story]),
  },
  heuristics,
  baselines,
  drawings,
  analyses: [nulls],
})
