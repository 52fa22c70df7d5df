import type { Shown } from '../common/presentation.ts'

/** Published items are shown in their own order, without anything added. */
export const asPublished: Shown = {
  view: [0, 0, 0, 0],
  order: 'forward',
  filler: 'none',
  fillerLines: 0,
  fillerPosition: 'before',
  padTokens: 0,
  tokenCounter: 'characters',
  modules: [],
  like: {},
}

/** Features of presentation of an imported item. */
export const publishedPresentation = { order: 'published', filler: 'none', fillerLines: 0, padTokens: 0 } as const

/** What a reader makes of a record: our own shapes, `null` where the record is of another task, or what is wrong. */
export type Read<S, G, A> =
  | {
      readonly kind: 'item'
      readonly shared: S
      readonly given: G
      readonly answer: A
      readonly features: { readonly [name: string]: number | string | boolean | null }
    }
  | { readonly kind: 'unread'; readonly reason: string }
  | null
