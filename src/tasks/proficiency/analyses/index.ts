import type { Analysis } from '../../../core/index.ts'

export const analyses: readonly Analysis[] = []
