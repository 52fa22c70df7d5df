/** A train as its facts say: cars from the front, each with the words said of it. */
interface Train {
  readonly east: boolean
  readonly cars: readonly (readonly string[])[]
}

/** Facts of the prompt, train by train; the order of cars is what front_of says. */
function trainsOf(prompt: string): readonly Train[] {
  return [...prompt.matchAll(/^(east|west)bound\((\w+)\)\.$/gm)].map(([, way, train]) => {
    const cars = [...prompt.matchAll(new RegExp(`^has_car\\(${train}, (\\w+)\\)\\.$`, 'gm'))].map(
      ([, car]) => car ?? '',
    )
    const next = new Map(
      [...prompt.matchAll(/^front_of\((\w+), (\w+)\)\.$/gm)].map(([, a, b]): readonly [string, string] => [
        a ?? '',
        b ?? '',
      ]),
    )
    const behind = new Set(next.values())
    const chain: string[] = []
    for (let at = cars.find((car) => !behind.has(car)); at !== undefined; at = next.get(at)) chain.push(at)
    const properties = chain.map((car) =>
      [...prompt.matchAll(new RegExp(`^(\\w+)\\(${car}, (\\w+)\\)\\.$`, 'gm'))]
        .filter(([, name]) => name !== 'front_of')
        .map(([, name, value]) => `${name} ${value}`),
    )
    return { east: way === 'east', cars: properties }
  })
}

/** All sets of so many words. */
const sets = (words: readonly string[], size: number): readonly (readonly string[])[] =>
  size === 0
    ? [[]]
    : words.flatMap((word, i) => sets(words.slice(i + 1), size - 1).map((rest) => [word, ...rest] as const))

const has = (car: readonly string[] | undefined, wanted: readonly string[]): boolean =>
  car !== undefined && wanted.every((word) => car.includes(word))

/** Every rule that fits all trains and is as short as any that does, as answers. */
export function findRules(prompt: string): readonly string[] {
  const trains = trainsOf(prompt)
  const words = [...new Set(trains.flatMap(({ cars }) => cars.flat()))]
  for (let size = 1; size <= 3; size++) {
    const found: string[] = []
    for (let behind = 0; behind < size; behind++)
      for (const first of sets(words, size - behind))
        for (const second of sets(words, behind)) {
          const fits = trains.every(
            ({ east, cars }) =>
              cars.some((car, i) => has(car, first) && (behind === 0 || has(cars[i + 1], second))) === east,
          )
          if (fits) found.push(written(first, second))
        }
    if (found.length > 0) return found
  }
  return []
}

function written(first: readonly string[], second: readonly string[]): string {
  const goals = (car: string, words: readonly string[]) =>
    words.map((word) => word.replace(/^(\w+) (\w+)$/, `$1(${car}, $2)`))
  const link = second.length === 0 ? [] : ['has_car(Z, Y)', 'front_of(X, Y)']
  const body = ['has_car(Z, X)', ...link, ...goals('X', first), ...goals('Y', second)]
  return `\`\`\`\neastbound(Z) :-\n    ${body.join(',\n    ')}.\n\`\`\``
}
