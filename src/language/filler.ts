import { kindFiller, personFiller, proseFiller, thingFiller } from './words/filler-data.ts'

export { proseFiller }

/** What entity filler talks about. */
export type EntityKind = 'person' | 'thing' | 'kind'

export const entityFiller: { readonly [kind in EntityKind]: readonly string[] } = {
  person: personFiller,
  thing: thingFiller,
  kind: kindFiller,
}
