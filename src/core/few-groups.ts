import type { Estimate } from './analysis.ts'

/** An interval over fewer groups than this is drawn broken: how groups differ is known from few. */
export const FEW_GROUPS = 10

/** Does an estimate say that it rests on few groups? */
export const isOfFew = ({ groups }: Pick<Estimate, 'groups'>): boolean => groups !== undefined && groups < FEW_GROUPS
