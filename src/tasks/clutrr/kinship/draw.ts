import { z } from 'zod'
import { balancedBlocks } from '../../../core/balanced-blocks.ts'
import { feature } from '../../../core/feature.ts'
import { coin, pick, sample, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { DrawContext, DrawResult, Layout, RandomStreams } from '../../../core/task.ts'
import { drawChains, planted, type SetNumber, sets } from './chains.ts'
import type { Config } from './config.ts'
import {
  type Answer,
  type Fact,
  type Facts,
  type Gender,
  type Given,
  type Kin,
  partitionKey,
  wordOf,
} from './question.ts'

export const features = z.object({
  hops: feature(z.int(), 'difficulty', 'Sentences in the chain between the two people', 'sentences'),
  distractors: feature(z.int(), 'difficulty', 'Irrelevant sentences per family', 'sentences'),
  order: feature(z.string(), 'nuisance', 'Order of the sentences'),
  people: feature(z.int().nullable(), 'nuisance', 'People in the story; null: missing in a published file'),
  sentences: feature(z.int().nullable(), 'nuisance', 'Sentences of the story'),
  first: feature(z.string().nullable(), 'nuisance', 'First relation of the chain'),
  last: feature(z.string().nullable(), 'nuisance', 'Last relation of the chain'),
  generations: feature(z.int().nullable(), 'truth', 'Generations between the first and the second person'),
  relation: feature(z.string(), 'truth', 'The answer'),
  part: feature(z.string(), 'stratum', 'The file of a published item; generated'),
})

export type ItemFeatures = z.infer<typeof features>

/** The three answers of a set, of either gender: all eighteen relations equally often. */
export const layout = (_config: Config, _plan: null, draws: RandomStreams): Layout =>
  balancedBlocks(
    {
      factors: ['set', 'gender'],
      units: sets.flatMap((_, set) => ['f', 'm'].map((gender) => ({ levels: { set, gender } }))),
      label: { name: 'member', levels: [0, 1, 2] },
      twins: true,
    },
    draws,
  )

/** How many sets of chains and genders to try: about one in ten can be planted. */
const CHAINS = 20_000
/** How many sets of names to try: a split has an eighth of all or more. */
const NAMES = 512

interface Person {
  readonly family: number
  readonly gender: Gender
}

/** An irrelevant person, attached to the one at this position of the chain. */
interface Aside {
  readonly place: number
  readonly kin: Kin
  readonly gender: Gender
}

/**
 * Three families whose chains differ only in the middle, so that each has another relation between its ends. The label
 * selects the family of the question; the story and all that is near the ends is the same.
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
    const given = nameFacts(stream, people, facts, asked, options)
    if (!draws.inSplit(partitionKey(given.people))) continue
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

/** Generations between the first and the second person. */
const rise: { readonly [kin in Kin]: number } = {
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

function nameFacts(
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

const listed = (text: string): readonly string[] => text.split(' ')

/** Given names that are read as a woman's, by custom in English; none ends in s. */
const women = listed(
  'Abigail Ada Adele Alice Amanda Amelia Amy Andrea Angela Anita Anna Audrey Barbara Beatrice Bella Bertha Bridget Camilla Carla Carmen Carol Caroline Catherine Cecilia Celia Charlotte Chloe Clara Claire Claudia Cora Daisy Dana Daphne Debra Diana Donna Dora Edith Edna Eleanor Elena Elisa Eliza Ella Ellen Elsa Emily Emma Erica Esther Ethel Eva Evelyn Fiona Flora Frida Gemma Georgia Gloria Greta Hannah Harriet Hazel Heidi Helen Helga Hilda Holly Ida Ingrid Irene Isabel Jane Janet Jenny Joanna Judith Julia Karen Katie Laura Lena Leonora Lillian Linda Lola Louisa Lucy Lydia Mabel Margaret Maria Martha Matilda Maud Melanie Mildred Miriam Molly Monica Nadia Nancy Naomi Natalie Nina Nora Olga Olivia Ophelia Pamela Patricia Paula Pauline Penelope Petra Phoebe Polly Rachel Rebecca Regina Rita Rosa Ruth Sabrina Sandra Sarah Selma Sheila Sofia Stella Susan Sylvia Tamara Teresa Thelma Tina Ursula Valerie Vanessa Vera Victoria Viola Wanda Wendy Wilma Yolanda Yvonne Zelda Zoe',
)

/** And as a man's. */
const men = listed(
  'Aaron Abel Abraham Adam Adrian Alan Albert Alfred Andrew Anthony Anton Archibald Arnold Arthur Barry Benedict Benjamin Bernard Bruno Calvin Carl Cedric Christopher Clarence Clement Clifford Conrad Cyril Daniel David Dean Derek Desmond Dominic Donald Duncan Edgar Edmund Edward Edwin Elliot Eric Ernest Ethan Eugene Felipe Ferdinand Frank Frederick Gabriel Geoffrey George Gerald Gilbert Gordon Graham Gregory Gustav Harold Harry Harvey Hector Henry Herbert Herman Howard Hugh Hugo Humphrey Ian Isaac Ivan Jacob Jack Jeffrey Jeremy Jerome Joel John Jonathan Joseph Julian Karl Keith Kenneth Kevin Lawrence Leo Leon Leonard Leopold Lionel Luke Malcolm Manuel Mark Martin Matthew Maurice Max Melvin Michael Mortimer Nathan Neil Nigel Noah Norman Oliver Oscar Oswald Otto Owen Patrick Paul Peter Philip Quentin Ralph Raymond Reginald Richard Robert Roger Roland Ronald Rudolf Rupert Samuel Saul Sebastian Sidney Simon Stanley Stephen Stuart Ted Theodore Timothy Tobin Trevor Victor Vincent Walter Warren Wilfred William Winston',
)
