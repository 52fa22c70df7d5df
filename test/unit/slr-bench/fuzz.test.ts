import { expect, it } from 'vitest'
import { below, namedStream, pick } from '../../../src/core/index.ts'
import { prove } from '../../../src/tasks/slr-bench/prolog/machine.ts'
import { readProgram } from '../../../src/tasks/slr-bench/prolog/read.ts'
import { atom, byIndicator } from '../../../src/tasks/slr-bench/prolog/terms.ts'
import { sample } from '../../nightly.ts'
import { tauProves } from './tau.ts'

const facts = `
has_car(t, c1). has_car(t, c2). has_car(t, c3). has_car(t, c4).
colour(c1, red). colour(c2, blue). colour(c3, red). colour(c4, green).
size(c1, short). size(c2, long). size(c3, long). size(c4, short).
num(c1, 1). num(c2, 2). num(c3, 3). num(c4, 4).
load(c1, 2). load(c2, 0). load(c3, 3). load(c4, 2).
front_of(c1, c2). front_of(c2, c3). front_of(c3, c4).
before(X, Y) :- front_of(X, Y).
before(X, Y) :- front_of(X, Z), before(Z, Y).
one(X) :- has_car(t, X), !.
`

/** What models write: goals about cars, some of which leave a variable free. */
function goal(draws: ReturnType<typeof namedStream>, depth: number): string {
  const car = (): string => pick(draws, ['A', 'B', 'C'])
  const number = (): string => pick(draws, ['1', '2', '3', 'N', 'M'])
  const inner = (): string => body(draws, depth - 1)
  const plain = [
    () => `has_car(t, ${car()})`,
    () => `colour(${car()}, ${pick(draws, ['red', 'blue', 'green', 'V'])})`,
    () => `size(${car()}, ${pick(draws, ['short', 'long', 'S'])})`,
    () => `num(${car()}, ${number()})`,
    () => `load(${car()}, ${number()})`,
    () => `front_of(${car()}, ${car()})`,
    () => `before(${car()}, ${car()})`,
    () => `one(${car()})`,
    () => `${car()} \\= ${car()}`,
    () => `${car()} == ${car()}`,
    () => `${number()} ${pick(draws, ['<', '>', '=<', '>=', '=:=', '=\\='])} ${number()}`,
    () => `${pick(draws, ['N', 'M'])} is ${number()} ${pick(draws, ['+', '-', '*', 'mod', '//'])} ${number()}`,
    () => `member(${car()}, [c1, c2, x])`,
    () => `member(${number()}, [1, 2, 9])`,
    '!',
    'fail',
  ]
  const nested = [
    () => `\\+ (${inner()})`,
    () => `(${inner()} ; ${inner()})`,
    () => `(${inner()} -> ${inner()} ; ${inner()})`,
    () => `(${inner()} -> ${inner()})`,
    () => `findall(${car()}, (${inner()}), L), length(L, ${number()})`,
    () => `findall(N, (${inner()}), K), msort(K, [_|_])`,
    () => `forall((${inner()}), (${inner()}))`,
    () => `setof(${car()}, D^colour(D, ${car()}), [_|_])`,
    () => `(bagof(A, colour(A, V), [_, _]), V = ${pick(draws, ['red', 'blue'])})`,
    () => `once((${inner()}))`,
    () => `call((${inner()}))`,
  ]
  const made = pick(draws, depth > 0 && below(draws, 3) === 0 ? nested : plain)
  return typeof made === 'string' ? made : made()
}

const body = (draws: ReturnType<typeof namedStream>, depth: number): string =>
  Array.from({ length: 1 + below(draws, 3) }, () => goal(draws, depth)).join(', ')

const PROGRAMS = sample({ nightly: 6000, otherwise: 150 })

it('agrees with another interpreter about programs at random', async () => {
  const draws = namedStream('test/slr-bench/fuzz')
  const differing: string[] = []
  const counts: Record<string, number> = { proved: 0, refuted: 0, fault: 0 }
  for (let i = 0; i < PROGRAMS; i++) {
    const program = `${facts}ask :- has_car(t, A), ${body(draws, 2)}.\n`
    const ours = prove(byIndicator(readProgram(program)), atom('ask'), 400_000).kind
    const theirs = await tauProves(program, 'ask')
    counts[ours] = (counts[ours] ?? 0) + 1
    if (ours !== theirs) differing.push(`${ours}, not ${theirs}: ${program.split('\n').at(-2)}`)
  }
  expect(differing).toEqual([])
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(PROGRAMS / 20)
}, 120_000)
