import type { Analysis } from '../../../core/analysis.ts'
import { nulls } from './nulls.ts'

export const clutrrAnalyses: readonly Analysis[] = [nulls]
