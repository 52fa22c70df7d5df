import { modelShortNames } from '../../../core/model-names.ts'
import { visible } from './format.ts'

/** Models of the run that is shown, in its order: their places give colour and shape, and their short names are distinct. */
let known: { readonly places: ReadonlyMap<string, number>; readonly short: ReadonlyMap<string, string> } = {
  places: new Map(),
  short: new Map(),
}

/** Called by what shows a run, before anything below it names a model. */
export function setModels(names: readonly string[]): void {
  known = { places: new Map(names.map((name, place) => [name, place])), short: modelShortNames(names) }
}

/** Models with a colour; the others are grey. */
const COLOURED = 4

/** The colour of a place: 1 to 4, or 0 for none. */
export const colourAt = (place: number): number => (place < COLOURED ? place + 1 : 0)

/** That of a model by its place in the run. */
export const colourOf = (model: string): number => colourAt(known.places.get(model) ?? COLOURED)

/** Short name of a model. */
export const modelName = (model: string): string =>
  visible(known.short.get(model) ?? modelShortNames([model]).get(model) ?? model)
