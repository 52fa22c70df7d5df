import type { Analysis } from '../../../core/analysis.ts'
import { tiers } from './tiers.ts'

export const slrAnalyses: readonly Analysis[] = [tiers]
