import { modelName, visible } from './format.ts'

/** Characters of the head of a column. */
const MAX = 12

/**
 * Names of models for the heads of columns: of long ones what tells them from the others, with … where something is left out. Names that are not
 * the same stay so.
 */
export function headNames(models: readonly string[]): ReadonlyMap<string, string> {
  const names = models.map(modelName)
  const short = names.map((name, at) =>
    name.length <= MAX
      ? name
      : middleCut(
          own(
            name,
            names.filter((_, other) => other !== at),
          ),
        ),
  )
  const times = Map.groupBy(short, (name) => name)
  return new Map(
    models.map((model, at) => {
      const name = short[at] ?? model
      return [model, times.get(name)?.length === 1 ? name : visible(model)]
    }),
  )
}

/** A name without the words that it begins with as another one does. */
function own(name: string, others: readonly string[]): string {
  const shared = Math.max(0, ...others.map((other) => sharedWords(name, other)))
  return shared === 0 ? name : `…${name.slice(shared)}`
}

/** Characters of the words that both begin with; 0 where nothing of one would be left. */
function sharedWords(name: string, other: string): number {
  let same = 0
  while (same < name.length && name[same] === other[same]) same++
  const words = /^.*[-/_:. ]/u.exec(name.slice(0, same))?.[0].length ?? 0
  return words < name.length ? words : 0
}

const middleCut = (name: string): string =>
  name.length <= MAX ? name : `${name.slice(0, MAX / 2)}…${name.slice(1 - MAX / 2)}`
