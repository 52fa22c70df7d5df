import { type Clause, indicator } from './terms.ts'

/** Clauses by what they define, `name/arity`, in order. */
export type Program = ReadonlyMap<string, readonly Clause[]>

export const byIndicator = (clauses: readonly Clause[]): Program =>
  Map.groupBy(clauses, ({ head }) => indicator(head) ?? '')
