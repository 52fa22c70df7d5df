import { type Gender, inverse, type Kin } from '../question.ts'
import { composeChain } from '../truth/compose.ts'

/**
 * Can these people be planted in one genealogy, each of them once? Nobody has two spouses, two mothers or two fathers among
 * them, and spouses differ in gender.
 *
 * @returns what the first is of the last; null where they cannot, or where nothing follows
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
