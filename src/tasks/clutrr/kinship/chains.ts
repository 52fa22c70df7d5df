import { LruCache } from '../../../core/memo.ts'
import { below } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import chainWeights from './chain-weights.json' with { type: 'json' }
import { composeChain } from './compose.ts'
import { type Gender, inverse, type Kin, kins } from './question.ts'

/** Three answers whose chains are alike in parts as far as can be; the three sets are all nine kinds. */
export const sets = [
  ['uncle', 'nephew', 'sibling'],
  ['parent', 'grandparent', 'parentInLaw'],
  ['child', 'grandchild', 'childInLaw'],
] as const satisfies readonly (readonly Kin[])[]

/** Lengths of chains. */
export const HOPS = [2, 3, 4, 5, 6, 7, 8, 9, 10] as const

export type Hops = (typeof HOPS)[number]

/**
 * Chains that come to an answer, as numbers of their relations, with weights in hundred thousandths: scripts/kinship-chains.ts
 * found those with which parts of a chain tell least of the answer.
 */
const weights: { readonly [hops in `${Hops}`]: { readonly [kin: string]: { readonly [links: string]: number } } } =
  chainWeights

interface Weighted {
  readonly links: readonly Kin[]
  readonly weight: number
}

export const chainsTo = (kin: Kin, hops: Hops): readonly Weighted[] =>
  Object.entries(weights[hops][kin] ?? {}).map(([links, weight]) => ({
    links: Array.from(links, (at) => kins[Number(at)] as Kin),
    weight,
  }))

const known = new LruCache<readonly Weighted[], string>(256)

/** A chain that comes to this relation. */
export function drawChain(stream: Stream, kin: Kin, hops: Hops): readonly Kin[] {
  const chains = known.get(`${kin} ${hops}`, () => chainsTo(kin, hops))
  let place = below(
    stream,
    chains.reduce((sum, { weight }) => sum + weight, 0),
  )
  const found = chains.find(({ weight }) => {
    place -= weight
    return place < 0
  })
  if (found === undefined) throw new Error(`no chain of ${hops} comes to ${kin}`)
  return found.links
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
