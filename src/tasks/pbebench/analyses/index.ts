import type { Analysis } from '../../../core/index.ts'
import { confusions, distributions, minimal } from './categories.ts'
import { difficulty, searchDifficulty } from './difficulty.ts'
import { equalCompute } from './equal-compute.ts'
import { induction, lawsFound } from './induction.ts'
import { bySampleBudget, bySequenceLength, performance, variance } from './published.ts'
import { exactEffects, mainEffects, perModel, reasoning } from './regressions.ts'
import { accuracy, strategies } from './reordering.ts'
import { byLength, bySamples, byTokens } from './scaling.ts'

export const induceAnalyses: readonly Analysis[] = [
  performance('table2', 'Tables 2, 3 and 21', 'Performance on cascade induction'),
  byLength,
  bySamples,
  byTokens,
  equalCompute,
  bySampleBudget,
  variance,
  bySequenceLength,
  reasoning,
  perModel,
  mainEffects('table19', 'Table 19'),
  minimal,
  exactEffects,
  distributions,
  confusions,
  difficulty,
  searchDifficulty,
  induction,
]

export const reorderAnalyses: readonly Analysis[] = [
  accuracy,
  mainEffects('table17', 'Table 17'),
  strategies,
  distributions,
]

export const soundLawsAnalyses: readonly Analysis[] = [
  performance('table13', 'Table 13', 'Performance on sound laws'),
  bySamples,
  induction,
]

export const soundChangeAnalyses: readonly Analysis[] = [lawsFound, bySamples, induction]
