import { defineTask } from '../../../core/index.ts'
import { analyses } from '../analyses/index.ts'
import { lengthOnly } from '../analyses/length-only.ts'
import { languageOf } from '../languages/compiled.ts'
import { fenceDomain, grammarKey, stringKey } from '../languages/make.ts'
import { trainingExporter } from '../training.ts'
import { baselines } from './baselines.ts'
import { type Config, configSchema, curriculum, layout, presets } from './config.ts'
import { draw, group, plan } from './draw.ts'
import { drawings } from './drawings.ts'
import { features, type ItemFeatures } from './features.ts'
import { itemFacts, measure } from './measure.ts'
import { check, oracle, witness } from './proof.ts'
import { request, styles } from './string-format.ts'
import type { Given, Plan, Shared, Truth } from './types.ts'

/**
 * The generative and the discriminative test of "A Formal Language Benchmark for LLMs" in one run: every item is one
 * string after k examples, to be scored by its log-probability.
 */
export const discriminate = defineTask<Config, Plan, Shared, Given, Truth, ItemFeatures>({
  name: 'proficiency/discriminate',
  groupNoun: 'example lists',
  summary: 'How likely does a model find strings of a formal language, and strings next to it, after k examples?',
  version: 5,
  scorerVersion: 4,
  promptVersion: 1,
  config: configSchema,
  curriculum,
  presets,
  features,
  plan,
  layout,
  group,
  draw,
  styles,
  request,
  metrics: measure,
  itemFacts,
  drawings,
  analyses,
  audits: [lengthOnly],
  noGold: 'scored by log-probability: no response is asked for',
  oracle,
  witness,
  check,
  partition: {
    domain: fenceDomain,
    keyVersion: 1,
    key: ({ shared, given }) =>
      shared.fenced === 'grammar' ? grammarKey(languageOf(shared.grammar).grammar) : stringKey(given.text),
    // An example that is asked itself.
    exempts: ({ shared, given }) => shared.examples.includes(given.text),
    of: 'item',
  },
  baselines,
  exporters: { training: trainingExporter },
})
