import { type Gender, type Kin, wordOf } from './question.ts'

interface Person {
  gender: Gender | null
  named: boolean
  mother: number | null
  father: number | null
  spouse: number | null
}

type AddResult = 'said' | 'open' | 'impossible'

/** Thrown inside, caught by `say`. */
class Stop extends Error {
  readonly state: 'open' | 'impossible'
  constructor(state: 'open' | 'impossible') {
    super(state)
    this.state = state
  }
}

/**
 * People as nodes with a mother, a father and a spouse, some of them without a name. Both parents of a child are married to
 * one another, spouses have their children in common, siblings both parents, and two names are two people. Two nodes that
 * turn out to be one person are merged.
 */
export class Genealogy {
  private readonly people: Person[]
  private readonly same: number[]
  private readonly choices: readonly Gender[]
  private used = 0

  /** `choices`: of which gender the persons are that words leave open, in the order in which they come up. */
  constructor(genders: readonly (Gender | null)[], choices: readonly Gender[]) {
    this.people = genders.map((gender) => ({ gender, named: true, mother: null, father: null, spouse: null }))
    this.same = genders.map((_, i) => i)
    this.choices = choices
  }

  /** `open`: the choices so far do not determine which of two is meant. */
  say(a: number, kin: Kin, b: number): AddResult {
    try {
      this.links[kin](a, b)
      return 'said'
    } catch (error) {
      if (error instanceof Stop) return error.state
      throw error
    }
  }

  /** The word for what a is of b; null where it is none of the twenty. */
  relation(a: number, b: number): string | null {
    const { gender } = this.at(a)
    if (gender === null) return null
    const [parents, children] = [this.parents(b), this.parents(a)]
    const is = (x: number | null, y: number | null): boolean =>
      x !== null && y !== null && this.find(x) === this.find(y)
    const siblings = (x: number, y: number): boolean =>
      !is(x, y) &&
      this.parents(x).length === 2 &&
      is(this.at(x).mother, this.at(y).mother) &&
      is(this.at(x).father, this.at(y).father)
    const child = (x: number, y: number): boolean => this.parents(x).some((parent) => is(parent, y))
    const spouse = (x: number): number[] => [this.at(x).spouse].filter((one) => one !== null)
    const kinds: readonly (readonly [Kin, boolean])[] = [
      ['parent', child(b, a)],
      ['child', child(a, b)],
      ['sibling', siblings(a, b)],
      ['spouse', is(this.at(a).spouse, b)],
      ['grandparent', parents.some((parent) => child(parent, a))],
      ['grandchild', children.some((parent) => child(parent, b))],
      ['uncle', parents.some((parent) => siblings(a, parent))],
      ['nephew', children.some((parent) => siblings(parent, b))],
      ['parentInLaw', spouse(b).some((one) => child(one, a))],
      ['childInLaw', spouse(a).some((one) => child(one, b))],
    ]
    const holding = kinds.filter(([, holds]) => holds)
    return holding.length === 1 ? wordOf((holding[0] as readonly [Kin, boolean])[0], gender) : null
  }

  /** What a word says of two people. */
  private readonly links: { readonly [kin in Kin]: (a: number, b: number) => void } = {
    parent: (a, b) => this.addParent(a, b),
    child: (a, b) => this.addParent(b, a),
    sibling: (a, b) => this.siblings(a, b),
    spouse: (a, b) => this.marry(a, b),
    grandparent: (a, b) => this.addParent(a, this.someParent(b)),
    grandchild: (a, b) => this.addParent(b, this.someParent(a)),
    uncle: (a, b) => this.siblings(a, this.someParent(b)),
    nephew: (a, b) => this.siblings(this.someParent(a), b),
    parentInLaw: (a, b) => this.addParent(a, this.spouseOf(b)),
    childInLaw: (a, b) => this.addParent(b, this.spouseOf(a)),
  }

  private find(person: number): number {
    let at = person
    while (this.same[at] !== at) at = this.same[at] as number
    return at
  }

  private at(person: number): Person {
    return this.people[this.find(person)] as Person
  }

  private parents(person: number): number[] {
    const { mother, father } = this.at(person)
    return [mother, father].filter((one) => one !== null)
  }

  private add(gender: Gender | null): number {
    this.people.push({ gender, named: false, mother: null, father: null, spouse: null })
    this.same.push(this.people.length - 1)
    return this.people.length - 1
  }

  private choose(): Gender {
    const gender = this.choices[this.used]
    if (gender === undefined) throw new Stop('open')
    this.used++
    return gender
  }

  /** One of the two parents, by the next choice. */
  private someParent(person: number): number {
    this.withParents(person)
    const { mother, father } = this.at(person)
    return (this.choose() === 'f' ? mother : father) as number
  }

  private withParents(person: number): void {
    if (this.at(person).mother !== null) return
    const [mother, father] = [this.add('f'), this.add('m')]
    Object.assign(this.at(person), { mother, father })
    this.marry(mother, father)
  }

  private spouseOf(person: number): number {
    const known = this.at(person).spouse
    if (known !== null) return known
    const spouse = this.add(null)
    this.marry(spouse, person)
    return spouse
  }

  private addParent(parent: number, child: number): void {
    if (this.at(parent).gender === null) this.setGender(parent, this.choose())
    this.withParents(child)
    const { mother, father } = this.at(child)
    this.merge(parent, (this.at(parent).gender === 'f' ? mother : father) as number)
  }

  private siblings(a: number, b: number): void {
    if (this.find(a) === this.find(b)) throw new Stop('impossible')
    this.withParents(a)
    this.withParents(b)
    this.merge(this.at(a).mother as number, this.at(b).mother as number)
    this.merge(this.at(a).father as number, this.at(b).father as number)
  }

  private marry(a: number, b: number): void {
    if (this.find(a) === this.find(b)) throw new Stop('impossible')
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const { spouse } = this.at(one)
      if (spouse === null) this.at(one).spouse = this.find(other)
      else this.merge(spouse, other)
    }
    const [one, other] = [this.at(a).gender, this.at(b).gender]
    if (one !== null) this.setGender(b, one === 'f' ? 'm' : 'f')
    else if (other !== null) this.setGender(a, other === 'f' ? 'm' : 'f')
  }

  private setGender(person: number, gender: Gender): void {
    const node = this.at(person)
    if (node.gender === gender) return
    if (node.gender !== null) throw new Stop('impossible')
    node.gender = gender
    if (node.spouse !== null) this.setGender(node.spouse, gender === 'f' ? 'm' : 'f')
  }

  private merge(a: number, b: number): void {
    const [x, y] = [this.find(a), this.find(b)]
    if (x === y) return
    const [keep, lose] = [this.people[x] as Person, this.people[y] as Person]
    if (keep.named && lose.named) throw new Stop('impossible')
    keep.named ||= lose.named
    this.same[y] = x
    if (lose.gender !== null) this.setGender(x, lose.gender)
    for (const slot of ['mother', 'father', 'spouse'] as const) {
      const other = lose[slot]
      if (other === null) continue
      const own = keep[slot]
      if (own === null) keep[slot] = other
      else this.merge(own, other)
    }
    if (keep.gender !== null && keep.spouse !== null) this.setGender(keep.spouse, keep.gender === 'f' ? 'm' : 'f')
  }
}
