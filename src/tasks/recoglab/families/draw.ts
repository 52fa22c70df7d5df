import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import { below, between, coin, pick, sample, sampleIndices } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { DrawContext, DrawResult, RandomStreams } from '../../../core/task.ts'
import { firstNames, hobbies, streets, surnames, towns } from '../../../libraries/language/people.ts'
import { regions, sortNames } from '../common/names.ts'
import { presentationFeatures, presentationValues } from '../common/presentation.ts'
import type { Config } from './config.ts'
import type { Ask, FamilyRecord, Given, Member, Person } from './question.ts'

export const features = z.object({
  families: feature(z.int(), 'difficulty', 'Families in the records'),
  maxMembers: feature(z.int(), 'difficulty', 'Most members a family may have'),
  people: feature(z.int(), 'nuisance', 'People in the records'),
  ask: feature(z.string(), 'stratum', 'What is asked'),
  hop: feature(z.int().nullable(), 'difficulty', 'How many records the two families are apart', 'records'),
  format: feature(z.string(), 'nuisance', 'How the records are written'),
  tie: feature(z.boolean(), 'truth', 'The two are equal and the rule decides'),
  shared: feature(z.int().nullable(), 'truth', 'Hobbies in common'),
  label: feature(z.string(), 'truth', 'The balanced part of the answer'),
  ...presentationFeatures,
})

export type ItemFeatures = z.infer<typeof features>

const OLDEST = 99

/** How often records are drawn again that do not have what the question needs. */
const TRIES = 500

/** Levels of the stratum. */
interface Wanted {
  readonly hop: number
  /** size: members of the family; hobby: Yes or No; larger, older: which of the two; shared: how many. */
  readonly label: string
  readonly tie: boolean
}

/**
 * The content of one item: records with the facts that make the label true, the rest drawn freely. Members of records
 * come in alphabetical order, which is the order they are hashed and stored in.
 */
export function draw(config: Config, cell: DrawContext, draws: RandomStreams): DrawResult<Given, string, ItemFeatures> {
  const wanted: Wanted = {
    hop: Number(cell.levels['hop']),
    label: String(cell.levels['label']),
    tie: cell.levels['tie'] === true,
  }
  const mask = regions(draws)
  const stream = draws.stream('records')
  for (let tries = 0; tries < TRIES; tries++) {
    const made = question(config, wanted, stream, drawRecords(config, wanted, mask, stream))
    if (made !== null) return finish(config, wanted, made)
  }
  const reason = 'no two people with as many hobbies in families of one size were found: more families would help'
  return { kind: 'unreachable', proved: false, reason }
}

/** The records, and the two families that the question may be about. */
interface Records {
  readonly families: readonly FamilyRecord[]
  readonly first: number
  readonly second: number
}

function drawRecords(config: Config, wanted: Wanted, mask: number, stream: Stream): Records {
  const first = below(stream, config.families)
  const second = (first + wanted.hop) % config.families
  const names = sample(stream, surnames.of(mask), config.families)
  const sizes = names.map(() => between(stream, 1, config.maxMembers))
  settleSizes(config, wanted, stream, first, second, sizes)
  // So few that people of one first name are found in several families.
  const given = sample(stream, firstNames.of(mask), Math.max(2 * config.maxMembers, config.families))
  const families = names.map(
    (surname, i): FamilyRecord => ({
      address: address(stream, mask),
      members: sample(stream, given, sizes[i] as number).map((name) => freeMember(stream, name)),
      surname,
    }),
  )
  return { families, first, second }
}

/** The question, with the records it was put to. */
interface Made {
  readonly families: readonly FamilyRecord[]
  readonly ask: Ask
  readonly answer: string
}

function finish(config: Config, wanted: Wanted, made: Made): DrawResult<Given, string, ItemFeatures> {
  const labelled = config.ask === 'larger' || config.ask === 'older' || config.ask === 'shared-hobbies'
  return {
    kind: 'drawn',
    given: { ask: made.ask, families: made.families },
    answer: made.answer,
    features: {
      families: config.families,
      maxMembers: config.maxMembers,
      people: made.families.reduce((sum, family) => sum + family.members.length, 0),
      ask: config.ask,
      hop: wanted.hop === 0 ? null : wanted.hop,
      format: config.format,
      tie: wanted.tie,
      shared: config.ask === 'shared-hobbies' ? Number(wanted.label) : null,
      label: labelled ? wanted.label : made.answer,
      ...presentationValues(config),
    },
  }
}

const address = (stream: Stream, mask: number): string =>
  `${between(stream, 1, 998)} ${pick(stream, streets.of(mask))}, ${pick(stream, towns.of(mask))} ${between(stream, 10000, 99998)}`

function freeMember(stream: Stream, name: string): Member {
  return {
    age: between(stream, 1, OLDEST),
    hobbies: sample(stream, hobbies, between(stream, 1, hobbies.length - 1)),
    name,
  }
}

function settleSizes(
  config: Config,
  wanted: Wanted,
  stream: Stream,
  first: number,
  second: number,
  sizes: number[],
): void {
  if (config.ask === 'size') {
    // Another family makes up for it, so that the number of people does not depend on the answer.
    sizes[first] = Number(wanted.label)
    sizes[(first + 1) % sizes.length] = config.maxMembers + 1 - Number(wanted.label)
  }
  if (config.ask !== 'larger') return
  // Two different sizes in the order of the label; a tie: one size twice.
  const [a, b] = sampleIndices(stream, config.maxMembers, 2) as [number, number]
  const [low, high] = [Math.min(a, b) + 1, Math.max(a, b) + 1]
  const same = between(stream, 1, config.maxMembers)
  sizes[first] = wanted.tie ? same : wanted.label === 'first' ? high : low
  sizes[second] = wanted.tie ? same : wanted.label === 'first' ? low : high
}

function question(config: Config, wanted: Wanted, stream: Stream, { families, first, second }: Records): Made | null {
  const at = (family: number): Person => [family, below(stream, (families[family] as FamilyRecord).members.length)]
  const surname = (family: number) => (families[family] as FamilyRecord).surname
  const named = ([family, member]: Person) => `${families[family]?.members[member]?.name} ${surname(family)}`
  const tie = config.ties === 'excluded' ? null : coin(stream) ? 'first' : 'last'
  switch (config.ask) {
    case 'size':
      return { families, ask: { kind: 'size', family: first, most: config.maxMembers }, answer: wanted.label }
    case 'hobby': {
      const hobby = pick(stream, hobbies)
      const pair = alikeButFor(hobby, families, stream)
      if (pair === null) return null
      const person = wanted.label === 'Yes' ? pair.having : pair.lacking
      return { families, ask: { kind: 'hobby', person, hobby }, answer: wanted.label }
    }
    case 'larger': {
      const [a, b] = orderOfTwo(wanted, first, second, surname(first) < surname(second) === (tie === 'first'))
      return {
        families,
        ask: { kind: 'larger', families: [a, b], tie },
        answer: surname(wanted.label === 'first' ? a : b),
      }
    }
    case 'older': {
      const people = [at(first), at(second)] as const
      const [a, b] = orderOfTwo(wanted, people[0], people[1], named(people[0]) < named(people[1]) === (tie === 'first'))
      const [x, y] = sampleIndices(stream, OLDEST, 2) as [number, number]
      const [low, high] = [Math.min(x, y) + 1, Math.max(x, y) + 1]
      const ages = wanted.tie ? [low, low] : wanted.label === 'first' ? [high, low] : [low, high]
      const aged = withMember(withMember(families, a, { age: ages[0] as number }), b, { age: ages[1] as number })
      return {
        families: aged,
        ask: { kind: 'older', people: [a, b], tie },
        answer: named(wanted.label === 'first' ? a : b),
      }
    }
    case 'shared-hobbies': {
      const people = [at(first), at(second)] as const
      const count = Number(wanted.label)
      // How many hobbies each has does not depend on how many they share.
      const [most, own] = [Math.floor(hobbies.length / 2), sample(stream, hobbies, hobbies.length)]
      const [one, two] = [between(stream, 4, most), between(stream, 4, most)]
      const common = own.slice(0, count)
      const left = own.slice(0, one)
      const right = [...common, ...own.slice(one, one + two - count)]
      const listed = withMember(
        withMember(families, people[0], { hobbies: sample(stream, left, left.length) }),
        people[1],
        { hobbies: sample(stream, right, right.length) },
      )
      const answer = count === 0 ? 'N/A' : sortNames(common).join(', ')
      return { families: listed, ask: { kind: 'shared-hobbies', people }, answer }
    }
  }
}

/**
 * Two people of whom one has the hobby, with equally many hobbies and in families of one size: whichever is asked about,
 * the records, the hobby and all that can be counted around the person are the same. null: there are none.
 */
function alikeButFor(
  hobby: string,
  families: readonly FamilyRecord[],
  stream: Stream,
): { readonly having: Person; readonly lacking: Person } | null {
  const lacking = new Map<string, Person[]>()
  const having: { readonly person: Person; readonly key: string }[] = []
  families.forEach(({ members }, f) => {
    members.forEach((member, m) => {
      const key = `${members.length} ${member.hobbies.length}`
      if (member.hobbies.includes(hobby)) having.push({ person: [f, m], key })
      else lacking.set(key, [...(lacking.get(key) ?? []), [f, m]])
    })
  })
  const matched = having.filter(({ key }) => lacking.has(key))
  if (matched.length === 0) return null
  const { person, key } = pick(stream, matched)
  return { having: person, lacking: pick(stream, lacking.get(key) as Person[]) }
}

/** The order of the two in the question: as drawn; for a tie, so that the winner stands where the label requires. */
const orderOfTwo = <T>(wanted: Wanted, first: T, second: T, picked: boolean): readonly [T, T] =>
  wanted.tie && picked !== (wanted.label === 'first') ? [second, first] : [first, second]

function withMember(
  families: readonly FamilyRecord[],
  [f, m]: Person,
  change: Partial<Member>,
): readonly FamilyRecord[] {
  return families.map((family, i) =>
    i !== f
      ? family
      : { ...family, members: family.members.map((member, j) => (j === m ? { ...member, ...change } : member)) },
  )
}
