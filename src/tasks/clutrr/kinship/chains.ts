import { pick } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import { composeChain } from './compose.ts'
import { type Gender, inverse, type Kin, kins } from './question.ts'

/**
 * Three answers that share a beginning and an end: chains that differ in their middle alone come to each of the three. The
 * three sets are all nine kinds.
 */
export const sets = [
  ['uncle', 'nephew', 'sibling'],
  ['parent', 'grandparent', 'parentInLaw'],
  ['child', 'grandchild', 'childInLaw'],
] as const satisfies readonly (readonly Kin[])[]
export type SetNumber = 0 | 1 | 2

interface Template {
  readonly first: Kin
  readonly last: Kin
  /** By place in the set: the middles that come to it. */
  readonly middles: readonly (readonly (readonly Kin[])[])[]
}

const known = new Map<SetNumber, readonly Template[]>()

const twoLinks = kins.flatMap((a) => kins.map((b): readonly Kin[] => [a, b]))

/** All first and last links with which each answer of the set can be come to by two links between. */
function templates(set: SetNumber): readonly Template[] {
  let found = known.get(set)
  if (found === undefined) {
    found = kins
      .flatMap((first) => kins.map((last): readonly [Kin, Kin] => [first, last]))
      .map(([first, last]): Template => {
        const made = twoLinks.map((links) => ({ links, kin: composeChain([first, ...links, last])?.at(0, 4)?.kin }))
        return {
          first,
          last,
          middles: sets[set].map((kin) => made.filter((one) => one.kin === kin).map(({ links }) => links)),
        }
      })
      .filter(({ middles }) => middles.every((list) => list.length > 0))
    known.set(set, found)
  }
  return found
}

/** Each relation as two others that always come to it. */
const longer: { readonly [kin in Kin]: readonly (readonly [Kin, Kin])[] } = {
  parent: [
    ['parent', 'sibling'],
    ['spouse', 'parent'],
    ['parentInLaw', 'spouse'],
  ],
  child: [
    ['sibling', 'child'],
    ['child', 'spouse'],
    ['spouse', 'childInLaw'],
  ],
  sibling: [
    ['sibling', 'sibling'],
    ['child', 'parent'],
  ],
  spouse: [['parent', 'child']],
  grandparent: [
    ['parent', 'parent'],
    ['grandparent', 'sibling'],
  ],
  grandchild: [
    ['child', 'child'],
    ['sibling', 'grandchild'],
  ],
  uncle: [
    ['sibling', 'parent'],
    ['uncle', 'sibling'],
  ],
  nephew: [
    ['child', 'sibling'],
    ['sibling', 'nephew'],
  ],
  parentInLaw: [
    ['parent', 'spouse'],
    ['spouse', 'parentInLaw'],
  ],
  childInLaw: [
    ['spouse', 'child'],
    ['childInLaw', 'spouse'],
  ],
}

function stretched(stream: Stream, kin: Kin, links: number): readonly Kin[] {
  const out: Kin[] = [kin]
  while (out.length < links) {
    const at = pick(stream, [...out.keys()])
    out.splice(at, 1, ...pick(stream, longer[out[at] as Kin]))
  }
  return out
}

/** Chains with the given (even) number of links, one per answer of the set, equal but for the two in the middle. */
export function drawChains(stream: Stream, set: SetNumber, hops: number): readonly (readonly Kin[])[] {
  const side = hops / 2 - 1
  const template = pick(stream, templates(set))
  const [begin, end] = [stretched(stream, template.first, side), stretched(stream, template.last, side)]
  return template.middles.map((middles) => [...begin, ...pick(stream, middles), ...end])
}

/**
 * Can these people form one genealogy, each of them once? People have one spouse, mother and father, and spouses differ
 * in gender.
 *
 * @returns the relation of the first to the last; null: impossible, or nothing follows
 */
export function planted(chain: readonly Kin[], genders: readonly Gender[]): Kin | null {
  const composed = composeChain(chain)
  if (composed === null) return null
  for (let person = 0; person <= chain.length; person++) {
    const near = { spouse: 0, mother: 0, father: 0 }
    for (let other = 0; other <= chain.length; other++) {
      if (other === person) continue
      const kin = other < person ? composed.at(other, person)?.kin : turned(composed.at(person, other)?.kin)
      if (kin === 'spouse') {
        near.spouse++
        if (genders[other] === genders[person]) return null
      }
      if (kin === 'parent') near[genders[other] === 'f' ? 'mother' : 'father']++
    }
    if (near.spouse > 1 || near.mother > 1 || near.father > 1) return null
  }
  return composed.at(0, chain.length)?.kin ?? null
}

const turned = (kin: Kin | undefined): Kin | undefined => (kin === undefined ? undefined : inverse[kin])
