import { z } from 'zod'
import { defineTask } from '../../../core/define.ts'
import { slrAnalyses } from '../analyses/index.ts'
import { baselines, heuristics } from './baselines.ts'
import { type Config, config } from './config.ts'
import { cues } from './cues.ts'
import { draw } from './draw.ts'
import { contentOf, fenceKey } from './fence.ts'
import { grade } from './grade.ts'
import { layout } from './layout.ts'
import { levels } from './levels.ts'
import { oracle } from './oracle.ts'
import { parsers } from './parsers.ts'
import { presets } from './presets.ts'
import { answerBlock, request, styles } from './prompt.ts'
import type { Answer, Given, Shared } from './question.ts'
import { solution } from './solution.ts'
import { stated } from './stated.ts'
import { view } from './view.ts'
import { check, witness } from './witness.ts'

const feature = <T extends z.ZodType>(type: T, role: 'difficulty' | 'stratum' | 'nuisance', text: string): T =>
  type.describe(text).meta({ role })

/** Which rule parts the trains? Answered with a clause of Prolog, which is run. */
export const trains = defineTask<Config, null, Shared, Given, Answer>({
  name: 'slr-bench/trains',
  summary:
    'Which rule decides where trains go? Facts about cars in Prolog, and the answer a clause that is run on them',
  version: 1,
  scorer: 1,
  wording: 1,
  config,
  levels,
  presets,
  features: z.object({
    tier: feature(z.string(), 'stratum', 'Tier of the rule: basic, easy, medium, hard'),
    level: feature(z.int().nullable(), 'difficulty', 'Level of the published curriculum; null: generated'),
    properties: feature(z.int().nullable(), 'difficulty', 'Properties that the rule reads; null: not told by a record'),
    trains: feature(z.int(), 'difficulty', 'Trains shown'),
    cars: feature(z.int().nullable(), 'difficulty', 'Cars a train; null: they differ'),
    first: feature(z.string().nullable(), 'nuisance', 'Attributes the rule reads of a car'),
    second: feature(z.string().nullable(), 'nuisance', 'Attributes it reads of the car behind'),
    part: feature(z.string(), 'stratum', 'The file of a published record; generated'),
  }),
  layout,
  draw: (c, _shared, cell, draws) => draw(c, cell, draws),
  styles,
  request: (question, style) => request(question, style),
  parsers,
  grade,
  tieBreaker: 'partial',
  gold: ({ answer }) => answerBlock(answer),
  oracle,
  witness,
  check,
  solution,
  stated: ({ given }, text) => stated(given, text),
  cues,
  canonical: ({ given }) => contentOf(given),
  fence: { domain: 'slr-bench/trains/1', keyVersion: 1, of: 'item', key: ({ given }) => fenceKey(given) },
  heuristics,
  baselines,
  view,
  analyses: slrAnalyses,
})
