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
  if (prompt.includes('amount(')) return rulesOfOtherForms(prompt, trains, words)
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

/** The same where a rule may have a negation, recursion or numbers: all of two properties at most that fit. */
function rulesOfOtherForms(prompt: string, trains: readonly Train[], words: readonly string[]): readonly string[] {
  const numbers = new Map([...prompt.matchAll(/^amount\((\w+), (\d)\)\.$/gm)].map(([, word, n]) => [word, Number(n)]))
  const wheels = (car: readonly string[] | undefined): number =>
    numbers.get(car?.find((word) => word.startsWith('wheels '))?.slice('wheels '.length)) ?? Number.NaN
  const sums: readonly (readonly [string, (m: number, n: number) => boolean])[] = [
    ['N > M', (m, n) => n > m],
    ['N < M', (m, n) => n < m],
    ['N =:= M', (m, n) => n === m],
    ['7 =< M + N', (m, n) => m + n >= 7],
    ['N + M < 6', (m, n) => m + n < 6],
  ]
  const found: string[] = []
  const offer = (holds: (cars: Train['cars']) => boolean, clause: () => string): void => {
    if (trains.every(({ east, cars }) => holds(cars) === east)) found.push(`\`\`\`\n${clause()}\n\`\`\``)
  }
  const goal = (car: string, word: string) => word.replace(/^(\w+) (\w+)$/, `$1(${car}, $2)`)
  const pair = 'eastbound(Z) :- has_car(Z, X), front_of(X, Y)'
  for (const a of ['', ...words])
    for (const b of ['', ...words]) {
      const [one, other] = [a, b].map((word) => (car: readonly string[] | undefined) => word === '' || has(car, [word]))
      if (one === undefined || other === undefined) continue
      const goals = [a === '' ? [] : [goal('X', a)], b === '' ? [] : [goal('Y', b)]].flat()
      if (a !== '') {
        const [own, same] = [goal('X', a), goal('X', b || a)]
        offer(
          (cars) => cars.some((car) => one(car) && other(car)),
          () => `eastbound(Z) :- has_car(Z, X), ${own}, ${same}.`,
        )
      }
      if (a !== '' && b !== '') {
        offer(
          (cars) => cars.some((car) => one(car) && !other(car)),
          () => `eastbound(Z) :- has_car(Z, X), ${goal('X', a)}, \\+ ${goal('X', b)}.`,
        )
        offer(
          (cars) => cars.some((car, i) => one(car) && i + 1 < cars.length && other(cars[i + 1])),
          () => `${pair}, ${goals.join(', ')}.`,
        )
        offer(
          (cars) => cars.some((car, i) => one(car) && cars.slice(i + 1).some(other)),
          () =>
            `eastbound(Z) :- has_car(Z, X), ahead(X, Y), ${goals.join(', ')}.\nahead(X, Y) :- front_of(X, Y).\nahead(X, Y) :- front_of(W, Y), ahead(X, W).`,
        )
      } else
        for (const [text, compares] of sums)
          offer(
            (cars) =>
              cars.some((car, i) => one(car) && other(cars[i + 1]) && compares(wheels(car), wheels(cars[i + 1]))),
            () => `${[pair, ...goals, 'wheels(X, V), amount(V, M), wheels(Y, W), amount(W, N)', text].join(', ')}.`,
          )
    }
  return found
}
