import type { Analysis } from '../../../core/analysis.ts'
import { beliefBias } from './belief.ts'
import { confusionMatrices } from './confusion.ts'
import { contrast } from './contrast.ts'
import { distanceEffect, thinking } from './distance.ts'
import { flips } from './flips.ts'
import { reseed } from './reseed.ts'
import { capacity, fillerAgainstTokens, heatmap, outputTokens } from './sizes.ts'

const ordering = (task: string): Analysis =>
  contrast({
    id: `recoglab/figure7-${task}`,
    title: 'Order of the statements',
    item: 'figure 7',
    column: 'feature_order',
    label: 'Order',
    notes: ['Forward: along the structure from its beginning (syllogisms: from the subject). Reverse: against it.'],
  })

export const comparisonAnalyses: readonly Analysis[] = [
  capacity('comparison', 'feature_entities', 'Entities'),
  heatmap('comparison', 'feature_entities', 'Entities'),
  ordering('comparison'),
  contrast({
    id: 'recoglab/figure8',
    title: 'Congruency with the real world',
    item: 'figure 8',
    column: 'feature_congruency',
    label: 'Congruency',
    among: ['congruent', 'incongruent', 'random-string'],
    follows: ['feature_entityKind'],
    notes: ['Chance is one half. Conditions use other entities, so pairs share structure and question but not words.'],
  }),
  confusionMatrices,
  distanceEffect('comparison'),
  thinking('comparison'),
  flips,
  reseed,
]

export const socialAnalyses: readonly Analysis[] = [
  reseed,
  capacity('social', 'feature_people', 'People'),
  heatmap('social', 'feature_people', 'People'),
  contrast({
    id: 'recoglab/figure5',
    title: 'Flavoured and plain wording',
    item: 'figure 5',
    column: 'feature_wording',
    label: 'Wording',
    pooled: ['feature_people'],
    notes: ['Pooled over the sizes with both wordings; pairs are the same network with the same people.'],
  }),
  fillerAgainstTokens,
  outputTokens,
  distanceEffect('social'),
  thinking('social'),
]

export const syllogismAnalyses: readonly Analysis[] = [
  beliefBias,
  capacity('syllogism', 'feature_terms', 'Terms'),
  ordering('syllogism'),
  contrast({
    id: 'recoglab/figure8-syllogism',
    title: 'Congruency of syllogisms with the real world',
    item: 'figure 8',
    column: 'feature_nouns',
    label: 'Nouns',
    notes: [
      'Congruent: every statement is true in the real world; incongruent: every one is false.',
      'Real nouns do not fit every form: items of one index with other forms are not paired.',
    ],
  }),
]

export const familiesAnalyses: readonly Analysis[] = [
  capacity('families', 'feature_families', 'Families'),
  contrast({
    id: 'recoglab/formats',
    title: 'Format of the records',
    item: 'section 3.2',
    column: 'feature_format',
    label: 'Format',
    notes: ['The same records as JSON, YAML, XML or prose.'],
  }),
]
