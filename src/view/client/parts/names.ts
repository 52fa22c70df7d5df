import { modelShortNames } from '../../../core/model-names.ts'
import type { RunSummary } from '../../api/index.ts'
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

export const colourOf = (model: string): number => colourAt(known.places.get(model) ?? COLOURED)

export const modelName = (model: string): string =>
  visible(known.short.get(model) ?? modelShortNames([model]).get(model) ?? model)

/**
 * What tells runs of one name apart: the end of the folder's path, as much of it as differs, and when the run was made. Runs whose name no
 * other has are left out.
 */
export function disambiguate(
  runs: readonly Pick<RunSummary, 'id' | 'name' | 'path' | 'created'>[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const same of Map.groupBy(runs, ({ name }) => name).values()) {
    if (same.length < 2) continue
    for (const { id, path, created } of same) {
      const others = same.filter((one) => one.path !== path).map((one) => one.path)
      found.set(id, `${endOf(path, others)}, ${minuteOf(created)}`)
    }
  }
  return found
}

/** The shortest end of a path that no other has. */
function endOf(path: string, others: readonly string[]): string {
  const parts = path.split('/')
  for (let count = 1; count < parts.length; count++) {
    const end = parts.slice(-count).join('/')
    if (!others.some((other) => other.endsWith(`/${end}`))) return end
  }
  return path
}

/** Local time, as in `2026-11-02 14:05`. */
function minuteOf(created: string): string {
  const at = new Date(created)
  const two = (n: number): string => String(n).padStart(2, '0')
  return Number.isNaN(at.getTime())
    ? created
    : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`
}
