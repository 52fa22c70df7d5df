import { isArray, type Json } from '../../../core/json.ts'
import type { Problem } from '../../../core/task.ts'
import { rulesOf } from '../judge.ts'
import type { Term } from '../prolog/terms.ts'
import { mark, oracle } from './oracle.ts'
import { type Answer, attributeNames, EAST, type Given, type Shared, type Train, valueName } from './question.ts'

type P = Problem<Shared, Given, Answer>

/** What the planted rule says of the first car and of the one behind it: attribute and value, as words. */
interface Planted {
  readonly first: readonly (readonly [string, string])[]
  readonly second: readonly (readonly [string, string])[]
}

/** Read from the text of the truth; null where it is no rule of ours. */
function plantedOf(text: Answer): Planted | null {
  const rules = rulesOf(text, EAST)
  const [clause] = rules.kind === 'rules' ? rules.clauses : []
  if (clause === undefined) return null
  const planted = { A: [] as [string, string][], B: [] as [string, string][] }
  for (const goal of conjuncts(clause.body)) {
    if (goal.kind !== 'compound') return null
    const [car, value] = goal.args
    if (goal.name === 'has_car' || goal.name === 'front_of') continue
    if (car?.kind !== 'variable' || value?.kind !== 'atom') return null
    if (car.name === 'A' || car.name === 'B') planted[car.name].push([goal.name, value.name])
  }
  return { first: planted.A, second: planted.B }
}

const conjuncts = (body: Term): readonly Term[] =>
  body.kind === 'compound' && body.name === ',' ? [body.args[0] as Term, ...conjuncts(body.args[1] as Term)] : [body]

const numberOf = (attribute: string): number => names.indexOf(attribute)
const names: readonly string[] = attributeNames

const fits = (train: Train, at: number, wanted: readonly (readonly [string, string])[]): boolean => {
  const car = train[at]
  return (
    car !== undefined &&
    wanted.every(([attribute, value]) => {
      const number = numberOf(attribute)
      return number !== -1 && valueName(number, car[number] as number) === value
    })
  )
}

/** Does the rule hold of the car at this place? */
const decides = (train: Train, at: number, { first, second }: Planted): boolean =>
  fits(train, at, first) && (second.length === 0 || fits(train, at + 1, second))

/** Of every train the first car that decides, from 0; -1: none does. Of a published record what is found of each of its trains. */
export function witness({ given, answer }: P): Json {
  if (given.kind === 'published') return [...mark(given, answer).judged]
  const planted = plantedOf(answer)
  return planted === null ? null : given.trains.map((train) => train.findIndex((_, at) => decides(train, at, planted)))
}

/** Looks at every car of every train again. */
export function check({ shared, given, answer }: P, proof: Json): boolean {
  if (!isArray(proof)) return false
  if (given.kind === 'published') return oracle({ shared, given }, answer)
  const planted = plantedOf(answer)
  if (planted === null || proof.length !== given.trains.length) return false
  return given.trains.every((train, i) => {
    const at = proof[i]
    return given.east[i] === true
      ? typeof at === 'number' && decides(train, at, planted)
      : at === -1 && train.every((_, car) => !decides(train, car, planted))
  })
}
