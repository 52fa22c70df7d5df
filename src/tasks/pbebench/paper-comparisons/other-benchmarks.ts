import type { PaperComparison } from '../../../core/index.ts'
import { type Measured, measures, model, type Row, text } from './columns.ts'

export const PART_NAMES = {
  all: ['accuracy', 'nonNull'],
  gen_train234_test2to10: ['genTrain234', 'genTrain234NonNull'],
  gen_train23_test2to10: ['genTrain23', 'genTrain23NonNull'],
  rob_train_clean_23_test_all_23: ['robClean', 'robCleanNonNull'],
  rob_train_disc_23_test_all_23: ['robDisc', 'robDiscNonNull'],
  rob_train_irr_23_test_all_23: ['robIrr', 'robIrrNonNull'],
  rob_train_sup_23_test_all_23: ['robSup', 'robSupNonNull'],
} as const

const LETTERS = 'Published: an answer is compared to the letter. Corrected: its form does not matter.'

/** Accuracy with and without nulls of a part of CLUTRR. */
export const kinship = (printed: string, part: keyof typeof PART_NAMES): readonly PaperComparison[] => {
  const [accuracy, nonNull] = PART_NAMES[part]
  const mine = (row: Row): string | null => (row['part'] === part ? model(row) : null)
  const named = part === 'all' ? '' : `, ${part}`
  const both = (label: string, paper: string, key: 'accuracy' | 'nonNull'): Measured => ({
    measure: `${label}${named}, %`,
    column: paper,
    published: ['clutrr/nulls', { column: `${key}Published`, row: mine, times: 100 }],
    corrected: ['clutrr/nulls', { column: key, row: mine, times: 100 }],
    reason: LETTERS,
  })
  return measures(printed, kinshipModel, [
    both('Accuracy', accuracy, 'accuracy'),
    both('Accuracy without nulls', nonNull, 'nonNull'),
  ])
}

/** Some models were asked again with more tokens. */
const kinshipModel = (row: Row): string =>
  Number(row['maxTokens']) > 8192 ? `${model(row)}, ${text(row, 'maxTokens')} tokens` : model(row)

const WHOLE = 'Corrected: partial scores are not cut to whole numbers, and each train is judged alone.'

export const trains = (printed: string, tier: string, key: (what: 'accuracy' | 'partial' | 'syntax') => string) => {
  const mine = (row: Row): string | null => (row['tier'] === tier ? model(row) : null)
  const named = tier === 'all' ? '' : `, ${tier}`
  const of = (label: string, what: 'accuracy' | 'partial' | 'syntax'): Measured => ({
    measure: `${label}${named}, %`,
    column: key(what),
    // Of one tier the paper's scorer cuts every partial score to 0 or 1: what is left is the accuracy.
    ...(what === 'partial' && tier !== 'all'
      ? { published: ['slr-bench/tiers', { column: 'accuracy', row: mine, times: 100 }] as const }
      : {}),
    corrected: ['slr-bench/tiers', { column: what, row: mine, times: 100 }],
    reason: WHOLE,
  })
  return measures(printed, model, [
    of('Accuracy', 'accuracy'),
    of('Partial score', 'partial'),
    of('Syntax score', 'syntax'),
  ])
}
