/** People of seven generations who marry no relative: what a sentence about kin means, looked up and not derived. */
interface Person {
  readonly gender: 'f' | 'm'
  readonly parents: readonly number[]
  readonly children: number[]
  spouse: number | null
}

const FOUNDERS = 40
const GENERATIONS = 7
/** A chain of eight may need nine sisters. */
const CHILDREN = 18
const COUPLES = 100

/** A linear congruence, so that the world shares nothing with the streams of the project. */
export function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

export function makeWorld(roll: (below: number) => number): readonly Person[] {
  const people: Person[] = []
  const add = (gender: 'f' | 'm', parents: readonly number[]): number => {
    people.push({ gender, parents, children: [], spouse: null })
    for (const parent of parents) people[parent]?.children.push(people.length - 1)
    return people.length - 1
  }
  const forebears = (person: number, up: number): readonly number[] =>
    up === 0 ? [person] : [person, ...(people[person]?.parents ?? []).flatMap((parent) => forebears(parent, up - 1))]
  let young = Array.from({ length: 2 * FOUNDERS }, (_, i) => add(i % 2 === 0 ? 'f' : 'm', []))
  for (let generation = 0; generation < GENERATIONS; generation++) {
    const couples: (readonly [number, number])[] = []
    const brides = young.filter((one) => people[one]?.gender === 'f')
    // Brides of all families, lest chains that come back to one find it without married daughters.
    while (couples.length < COUPLES && brides.length > 0) {
      const [bride] = brides.splice(roll(brides.length), 1)
      if (bride === undefined) break
      const near = new Set(forebears(bride, 3))
      const grooms = young.filter((one) => people[one]?.gender === 'm' && people[one].spouse === null)
      const free = grooms.filter((one) => forebears(one, 3).every((other) => !near.has(other)))
      const groom = free[roll(free.length)]
      const [wife, husband] = [people[bride], people[groom ?? -1]]
      if (groom === undefined || wife === undefined || husband === undefined) continue
      wife.spouse = groom
      husband.spouse = bride
      couples.push([bride, groom])
    }
    young = couples.flatMap((couple) =>
      Array.from({ length: CHILDREN }, (_, i) => add(i % 2 === 0 ? 'f' : 'm', couple)),
    )
  }
  return people
}

/** Everybody who is the `word` of a person. */
export function relatives(people: readonly Person[], of: number, word: string): readonly number[] {
  const parents = (one: number) => people[one]?.parents ?? []
  const children = (one: number): readonly number[] => people[one]?.children ?? []
  const spouse = (one: number) => [people[one]?.spouse ?? []].flat()
  const siblings = (one: number) => {
    const [mother] = parents(one)
    return mother === undefined ? [] : children(mother).filter((other) => other !== one)
  }
  const female = (list: readonly number[]) => list.filter((one) => people[one]?.gender === 'f')
  const male = (list: readonly number[]) => list.filter((one) => people[one]?.gender === 'm')
  switch (word) {
    case 'mother':
      return female(parents(of))
    case 'father':
      return male(parents(of))
    case 'daughter':
      return female(children(of))
    case 'son':
      return male(children(of))
    case 'sister':
      return female(siblings(of))
    case 'brother':
      return male(siblings(of))
    case 'wife':
      return female(spouse(of))
    case 'husband':
      return male(spouse(of))
    case 'grandmother':
      return female(parents(of).flatMap(parents))
    case 'grandfather':
      return male(parents(of).flatMap(parents))
    case 'granddaughter':
      return female(children(of).flatMap(children))
    case 'grandson':
      return male(children(of).flatMap(children))
    case 'aunt':
      return female(parents(of).flatMap(siblings))
    case 'uncle':
      return male(parents(of).flatMap(siblings))
    case 'niece':
      return female(siblings(of).flatMap(children))
    case 'nephew':
      return male(siblings(of).flatMap(children))
    case 'mother-in-law':
      return female(spouse(of).flatMap(parents))
    case 'father-in-law':
      return male(spouse(of).flatMap(parents))
    case 'daughter-in-law':
      return female(children(of).flatMap(spouse))
    case 'son-in-law':
      return male(children(of).flatMap(spouse))
    default:
      throw new Error(`no such relation: ${word}`)
  }
}
