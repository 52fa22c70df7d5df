import type { Estimate } from '../../core/analysis.ts'

/** How many independent groups each method needs. */

/** Intervals over fewer groups are drawn dashed. */
export const FEW_GROUPS = 10

/** True for an estimate over few groups. */
export const isOfFew = ({ groups }: Pick<Estimate, 'groups'>): boolean => groups !== undefined && groups < FEW_GROUPS

/** Fewest items, and widest interval, of an estimate that is drawn; tables that are not pictures hold all. */
export const MIN_SHOWN_ITEMS = 10
export const MAX_SHOWN_WIDTH = 0.5

/** True for an estimate that figures draw: from enough items, and narrow enough to be informative. */
export const isShown = ({ n, low, high }: Pick<Estimate, 'n' | 'low' | 'high'>): boolean =>
  n >= MIN_SHOWN_ITEMS && high - low <= MAX_SHOWN_WIDTH

/** The wild cluster bootstrap needs at least 4 groups for enough patterns; from 12 groups on, t on CR2 errors holds its level. */
const WILD_BOOTSTRAP = { min: 4, below: 12 }

/** True if intervals and tests over this many groups use the wild cluster bootstrap. */
export const usesWildBootstrap = (groups: number): boolean =>
  groups >= WILD_BOOTSTRAP.min && groups < WILD_BOOTSTRAP.below

/** Least number of groups of {@link rankSets}: fewer do not show how groups vary. */
export const MIN_GROUPS = 8

/** Mixed models estimate a standard deviation of groups from this many groups on. */
export const MIN_MIXED_GROUPS = 4

/** Over fewer groups the interval of a declared shortcut is too narrow to refute a range that lies above it. */
export const MIN_DECLARED_GROUPS = 20
