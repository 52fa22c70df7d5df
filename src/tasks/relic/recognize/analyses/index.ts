import type { Analysis } from '../../../../core/index.ts'
import { table1 } from './table1.ts'

/** The paper's tables and figures, with our corrected variants. */
export const analyses: readonly Analysis[] = [table1]
