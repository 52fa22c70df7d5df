import { coin, pick, sample, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { DrawContext, DrawResult, RandomStreams } from '../../../core/task.ts'
import type { Config } from './config.ts'
import { planted } from './drawing/genealogy.ts'
import { men, women } from './drawing/names.ts'
import { drawChains, type SetNumber, sets } from './drawing/templates.ts'
import type { ItemFeatures } from './features.ts'
import { fenceKey } from './fence.ts'
import { type Answer, type Fact, type Facts, type Gender, type Given, type Kin, wordOf } from './question.ts'

/** How many sets of chains and genders to try: about one in ten can be planted. */
const CHAINS = 20_000
/** How many sets of names to try: a split has an eighth of all or more. */
const NAMES = 512

interface Person {
  readonly family: number
  readonly gender: Gender
}

/** Somebody who matters to nothing, hung on the person of this place. */
interface Aside {
  readonly place: number
  readonly kin: Kin
  readonly gender: Gender
}

/**
 * Three families whose chains are equal but for their middle, so that the first is another relation of the last in each.
 * The label picks whose ends are asked about: the story is the same, and all that is near the ends.
 */
export function draw(config: Config, cell: DrawContext, draws: RandomStreams): DrawResult<Given, Answer, ItemFeatures> {
  const stream = draws.stream('families')
  const set = Number(cell.levels['set']) as SetNumber
  const gender: Gender = cell.levels['gender'] === 'f' ? 'f' : 'm'
  const made = drawFamilies(stream, config, set, gender)
  if (made === null)
    return { kind: 'unreachable', proved: false, reason: `no chains of ${config.hops} could be planted` }
  const { chains, genders } = made
  const asides = Array.from(
    { length: config.distractors },
    (): Aside => ({
      place: pick(stream, [...genders.keys()]),
      kin: pick(stream, ['child', 'sibling'] as const),
      gender: coin(stream) ? 'f' : 'm',
    }),
  )
  const order = shuffle(stream, [...sets[set].keys()])
  const people: Person[] = []
  const facts: Fact[] = []
  const ends = new Map<number, readonly [number, number]>()
  for (const [family, member] of order.entries()) {
    const start = people.length
    people.push(...[...genders, ...asides.map((aside) => aside.gender)].map((one): Person => ({ family, gender: one })))
    const chain = chains[member] as readonly Kin[]
    for (const [i, kin] of chain.entries()) facts.push([start + i, wordOf(kin, genders[i] as Gender), start + i + 1])
    for (const [i, { place, kin, gender: own }] of asides.entries())
      facts.push([start + genders.length + i, wordOf(kin, own), start + place])
    ends.set(member, [start, start + config.hops])
  }
  const asked = ends.get(Number(cell.levels['member'])) as readonly [number, number]
  const options = sets[set].map((kin) => wordOf(kin, gender)).sort()
  const answer = wordOf(sets[set][Number(cell.levels['member'])] as Kin, gender)
  for (let attempt = 0; attempt < NAMES; attempt++) {
    const given = named(stream, people, facts, asked, options)
    if (!draws.inSplit(fenceKey(given.people))) continue
    return {
      kind: 'drawn',
      given,
      answer,
      features: {
        hops: config.hops,
        distractors: config.distractors,
        order: config.order,
        people: people.length,
        sentences: facts.length,
        first: chains[0]?.[0] ?? null,
        last: chains[0]?.at(-1) ?? null,
        generations: rise[sets[set][Number(cell.levels['member'])] as Kin],
        relation: answer,
        part: 'generated',
      },
    }
  }
  return { kind: 'unreachable', proved: false, reason: `no names of this split in ${NAMES} tries` }
}

/** How many generations the one is above the other. */
export const rise: { readonly [kin in Kin]: number } = {
  parent: 1,
  child: -1,
  sibling: 0,
  spouse: 0,
  grandparent: 2,
  grandchild: -2,
  uncle: 1,
  nephew: -1,
  parentInLaw: 1,
  childInLaw: -1,
}

function drawFamilies(stream: Stream, { hops }: Config, set: SetNumber, gender: Gender) {
  for (let attempt = 0; attempt < CHAINS; attempt++) {
    const chains = drawChains(stream, set, hops)
    const genders = [gender, ...Array.from({ length: hops }, (): Gender => (coin(stream) ? 'f' : 'm'))]
    if (chains.every((chain, member) => planted(chain, genders) === sets[set][member])) return { chains, genders }
  }
  return null
}

function named(
  stream: Stream,
  people: readonly Person[],
  facts: readonly Fact[],
  [who, of]: readonly [number, number],
  options: readonly string[],
): Facts {
  const pools = { f: sample(stream, women, people.length), m: sample(stream, men, people.length) }
  const names = people.map(({ gender }, i) => pools[gender][i] as string)
  const sorted = [...names].sort()
  const at = (person: number): number => sorted.indexOf(names[person] as string)
  return {
    kind: 'facts',
    people: sorted,
    facts: facts.map(([a, word, b]): Fact => [at(a), word, at(b)]),
    asked: [at(who), at(of)],
    options,
  }
}
