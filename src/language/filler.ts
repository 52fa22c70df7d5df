import { pick } from '../core/random.ts'
import type { Stream } from '../core/stream.ts'
import { kindFiller, personFiller, proseFiller, thingFiller } from './words/filler-data.ts'

export { proseFiller }

/** What entity filler talks about. */
export type EntityKind = 'person' | 'thing' | 'kind'

export const entityFiller: { readonly [kind in EntityKind]: readonly string[] } = {
  person: personFiller,
  thing: thingFiller,
  kind: kindFiller,
}

/** One sentence that has nothing to do with the problem. */
export const proseLine = (stream: Stream): string => pick(stream, proseFiller)

/** One irrelevant sentence about one of the problem's own entities. */
export const entityLine = (stream: Stream, kind: EntityKind, entities: readonly string[]): string =>
  pick(stream, entityFiller[kind]).replace('{a}', () => pick(stream, entities))
