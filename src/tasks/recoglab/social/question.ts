import type { Question as QuestionOf } from '../../../core/task.ts'
import type { Edge } from '../../../libraries/graphs/graph.ts'
import type { Shown } from '../common/presentation.ts'
import type { RelationName } from './relations.ts'

export type MessageAsk =
  | { readonly kind: 'next-hop' | 'path'; readonly from: number; readonly to: number }
  /** `among`: minimum and maximum number of hops under this config. */
  | { readonly kind: 'hops'; readonly from: number; readonly to: number; readonly among: readonly [number, number] }
/** `among`: those to choose from; null: the whole family of `member`. */
export type FamilyAsk = {
  readonly kind: 'oldest' | 'youngest'
  readonly member: number
  readonly among: readonly number[] | null
}
export type Ask = MessageAsk | FamilyAsk

export const asksFamily = (ask: Ask): ask is FamilyAsk => ask.kind === 'oldest' || ask.kind === 'youngest'

export type Given = {
  readonly relation: RelationName
  /** Messages follow the direction of the relation only. */
  readonly oneWay: boolean
  /** In alphabetical order, so the order carries no information. */
  readonly people: readonly string[]
  /** [a, b]: the relation holds of a to b; along the structure, so that each but the first shares a person with an earlier one. */
  readonly edges: readonly Edge[]
  readonly ask: Ask
}

export type Shared = Shown & {
  readonly wording: 'plain' | 'flavoured' | 'flavoured-stating'
  readonly nameOrder: 'random' | 'fixed'
}

export type Question = QuestionOf<Shared, Given>

/**
 * Target: all accepted names (next hop, generations), the number as digits (hops), one shortest path. Prediction: the
 * one name, number or path of a response.
 */
export type Answer = readonly string[]

/** What may be answered where the answer is one of few; a way is open. */
export function choices({ given }: Question): readonly string[] {
  const { ask, people } = given
  switch (ask.kind) {
    case 'hops':
      return Array.from({ length: ask.among[1] - ask.among[0] + 1 }, (_, i) => String(ask.among[0] + i))
    case 'next-hop':
      return people.filter((_, i) => i !== ask.from)
    case 'path':
      return []
    default:
      return ask.among === null ? people : ask.among.map((v) => people[v] as string)
  }
}
