import type { Analysis } from '../../../../core/index.ts'
import { effort } from './effort.ts'
import { forms, sideBySide } from './equal-work.ts'
import { firstError } from './first-error.ts'
import { presentation } from './presentation.ts'
import { surface } from './surface.ts'

/** Analyses of all tasks of the family together. */
export const familyAnalyses: readonly Analysis[] = [surface, effort, firstError, sideBySide, presentation, forms].map(
  (analysis) => ({ ...analysis, acrossTasks: true }),
)
