import type { Estimate } from './analysis.ts'

/** Intervals over fewer groups than this are drawn dashed. */
export const FEW_GROUPS = 10

/** True for an estimate over few groups. */
export const isOfFew = ({ groups }: Pick<Estimate, 'groups'>): boolean => groups !== undefined && groups < FEW_GROUPS
