import { pick } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import { type Kin, kins } from '../question.ts'
import { composeChain } from '../truth/compose.ts'

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

/** Chains of so many links (an even number), one to each answer of the set, equal but for the two in the middle. */
export function drawChains(stream: Stream, set: SetNumber, hops: number): readonly (readonly Kin[])[] {
  const side = hops / 2 - 1
  const template = pick(stream, templates(set))
  const [begin, end] = [stretched(stream, template.first, side), stretched(stream, template.last, side)]
  return template.middles.map((middles) => [...begin, ...pick(stream, middles), ...end])
}
