import { z } from 'zod'
import { balancedBlocks } from '../../../core/balanced-blocks.ts'
import { feature } from '../../../core/feature.ts'
import { below, coin, pick, sample, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { DrawContext, DrawResult, Layout, RandomStreams } from '../../../core/task.ts'
import { drawChain, type Hops, planted, sets } from './chains.ts'
import { compose } from './compose.ts'
import { type Config, FACTS, type FactKind, parts } from './config.ts'
import {
  type Answer,
  type Fact,
  type Facts,
  type Gender,
  type Given,
  type Kin,
  kins,
  partitionKey,
  relations,
  rise,
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
  facts: feature(
    z.string().nullable(),
    'stratum',
    'Facts beside the chain: clean, irrelevant, supporting, disconnected, mixed; null: irrelevant ones or none, in three families',
  ),
})

export type ItemFeatures = z.infer<typeof features>

/** The three answers of a set, of either gender: all eighteen relations equally often. */
export const layout = ({ part }: Config, _plan: null, draws: RandomStreams): Layout =>
  balancedBlocks(
    {
      factors: ['set', 'gender', ...(part === null ? [] : ['facts', 'hops'])],
      units: sets.flatMap((_, set) =>
        ['f', 'm'].flatMap((gender) =>
          (part === null ? [{}] : (parts[part] ?? [])).map((one) => ({ levels: { set, gender, ...one } })),
        ),
      ),
      label: { name: 'member', levels: [0, 1, 2] },
    },
    draws,
  )

/** How many choices of genders to try: for each chain of the table there is one with which it can be planted. */
const GENDERS = 20_000
/** How many sets of names to try: a split has an eighth of all or more. */
const NAMES = 512

interface Person {
  readonly gender: Gender
}

interface Family {
  /** The chain's people first. */
  readonly people: readonly Person[]
  readonly facts: readonly Fact[]
  readonly chain: readonly Kin[]
}

/**
 * Three families, whose ends are related in the three ways of a set; the question asks about one of them. So the same stories
 * come with each answer: only who is asked about tells which.
 */
export function draw(config: Config, cell: DrawContext, draws: RandomStreams): DrawResult<Given, Answer, ItemFeatures> {
  const stream = draws.stream('families')
  const set = sets[Number(cell.levels['set'])] ?? sets[0]
  const gender: Gender = cell.levels['gender'] === 'f' ? 'f' : 'm'
  const kin = set[Number(cell.levels['member'])] as Kin
  const ends = config.part !== null ? [kin] : shuffle<Kin>(stream, set)
  const place = ends.indexOf(kin)
  const { hops, noise, distractors, facts: kindOfFacts } = settingsOf(config, cell)
  const beside = Array.from({ length: distractors }, () => (noise === 'mixed' ? pick(stream, FACTS) : noise))
  const families = ends.map((one) => drawFamily(stream, hops, beside, one, gender))
  const people = families.flatMap((family) => family.people)
  const size = people.length / ends.length
  const facts = families.flatMap((family, i) =>
    family.facts.map(([who, word, of]): Fact => [size * i + who, word, size * i + of]),
  )
  const asked = [size * place, size * place + hops] as const
  const { chain } = families[place] as Family
  // Who sees one family only cannot rule out a relation without its sentences.
  const options = config.part !== null ? relations : set.map((one) => wordOf(one, gender)).sort()
  const answer = wordOf(kin, gender)
  for (let attempt = 0; attempt < NAMES; attempt++) {
    const given = nameFacts(stream, people, facts, asked, options)
    if (!draws.inSplit(partitionKey(given.people))) continue
    return {
      kind: 'drawn',
      given,
      answer,
      features: {
        hops,
        distractors,
        order: config.order,
        people: people.length,
        sentences: facts.length,
        first: chain[0] ?? null,
        last: chain.at(-1) ?? null,
        generations: rise[kin],
        relation: answer,
        part: config.part ?? 'generated',
        facts: kindOfFacts,
      },
    }
  }
  return { kind: 'unreachable', proved: false, reason: `no names of this split in ${NAMES} tries` }
}

/** Facts beside the chain in an item of a part. */
const BESIDE = 2

/** Length and facts: of a part those of the stratum. */
function settingsOf({ part, hops, noise, distractors }: Config, { levels }: DrawContext) {
  if (part === null) return { hops, noise, distractors, facts: noise === 'irrelevant' ? null : noise }
  const facts = String(levels['facts'])
  const kind = FACTS.find((one) => one === facts)
  return { hops: levels['hops'] as Hops, noise: kind ?? 'irrelevant', distractors: kind ? BESIDE : 0, facts }
}

function drawFamily(stream: Stream, hops: Hops, beside: readonly FactKind[], kin: Kin, gender: Gender): Family {
  const chain = drawChain(stream, kin, hops)
  const genders = drawGenders(stream, chain, gender)
  const people: Person[] = genders.map((one) => ({ gender: one }))
  const facts = chain.map((one, i): Fact => [i, wordOf(one, genders[i] as Gender), i + 1])
  const addRelative = (of: number): void => {
    const own: Gender = coin(stream) ? 'f' : 'm'
    facts.push([people.length, wordOf(pick(stream, ['child', 'sibling'] as const), own), of])
    people.push({ gender: own })
  }
  let way: Way = { kins: chain, people: [...people.keys()] }
  /** Who is linked to nobody of the chain. */
  let stranger: number | null = null
  for (const kind of beside) {
    if (kind === 'irrelevant') addRelative(below(stream, genders.length))
    else if (kind === 'disconnected') {
      if (stranger === null) people.push({ gender: coin(stream) ? 'f' : 'm' })
      addRelative(stranger ?? people.length - 1)
      stranger = people.length - 1
    } else way = addDetour(stream, way, people, facts)
  }
  return { people, facts, chain }
}

/** How many detours to try: many would make two names one person. */
const DETOURS = 1000

/** Adds two sentences by way of a new person that say the same as one link of a way. */
function addDetour(stream: Stream, way: Way, people: Person[], facts: Fact[]): Way {
  const kin = planted(way.kins, gendersOf(way, people))
  for (let attempt = 0; attempt < DETOURS; attempt++) {
    const link = below(stream, way.kins.length)
    const person: Person = { gender: coin(stream) ? 'f' : 'm' }
    const [first, second] = pick(stream, detoursOf(way.kins[link] as Kin))
    const longer: Way = {
      kins: way.kins.toSpliced(link, 1, first, second),
      people: way.people.toSpliced(link + 1, 0, people.length),
    }
    if (planted(longer.kins, gendersOf(longer, [...people, person])) !== kin) continue
    const [from, to] = [way.people[link] as number, way.people[link + 1] as number]
    facts.push([from, wordOf(first, (people[from] as Person).gender), people.length])
    facts.push([people.length, wordOf(second, person.gender), to])
    people.push(person)
    return longer
  }
  throw new Error(`no detour beside ${way.kins.join(' ')}`)
}

/** The chain with its detours, and the people that it leads by. */
interface Way {
  readonly kins: readonly Kin[]
  readonly people: readonly number[]
}

const gendersOf = (way: Way, people: readonly Person[]): readonly Gender[] =>
  way.people.map((at) => (people[at] as Person).gender)

/** Two relations that come to this one. */
const detoursOf = (kin: Kin): readonly (readonly [Kin, Kin])[] =>
  kins.flatMap((first) => kins.flatMap((second) => (compose(first, second) === kin ? [[first, second] as const] : [])))

function drawGenders(stream: Stream, chain: readonly Kin[], gender: Gender): readonly Gender[] {
  for (let attempt = 0; attempt < GENDERS; attempt++) {
    const genders = [gender, ...chain.map((): Gender => (coin(stream) ? 'f' : 'm'))]
    if (planted(chain, genders) !== null) return genders
  }
  throw new Error(`no genders fit ${chain.join(' ')}`)
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
