import { expect, it } from 'vitest'
import { Fault } from '../../../src/tasks/slr-bench/prolog/limits.ts'
import { leadingFacts, readProgram } from '../../../src/tasks/slr-bench/prolog/read.ts'

/** A clause that is no plain fact: all that comes after it is read token by token. */
const SLOW = 'slow(X).\n'

function read(text: string): unknown {
  try {
    return readProgram(text)
  } catch (error) {
    if (error instanceof Fault) return `${error.fault}: ${error.message}`
    throw error
  }
}

const slowly = (text: string): unknown => {
  const clauses = read(SLOW + text)
  return Array.isArray(clauses) ? clauses.slice(1) : clauses
}

const NAME = 'n'.repeat(256)

it.each([
  'car(t1, c1). color(c1, red).\nlong(c1).',
  'p(a,b).q( a ).r(a) .',
  'p(a).q(b).',
  'p(a). % p(b).\np(c).',
  'p(a).% p(b).',
  'p(a). /* p(b). */ p(c).',
  'p(a).\n:- p(b).\np(c).',
  'p(a) :-\nq(b).',
  'p(a, B). p(c).',
  'p(a).. p(b).',
  'p(a). p(b',
  'p(a). p(b)',
  'p(a). p(dynamic). p(is, mod).',
  'dynamic(a). is(a, b). mod(a, b).',
  `${NAME}(a). p(${NAME}).`,
  `${NAME}n(a).`,
  `p(${NAME}n).`,
  'p(1). p(a).',
  "p('a'). p(a).",
  'p(a,  b). p(a\n, b).',
  'p(a). P(a).',
  'p(é). p(a).',
  'p(a).\u00a0q(b).',
  'p(a).\u0000',
  'true(a). fail. p(a).',
  ' \n\t p(a).\r\n q(b).',
  'p(). p(a).',
  'p(a,). p(a).',
  '',
])('facts at the beginning are what the reader makes of them: %j', (text) => {
  expect(read(text)).toEqual(slowly(text))
})

it('takes all plain facts, and nothing else', () => {
  const program = 'east(t1).\nhas_car(t1, t1_car1).\ncolor(t1_car1, red).\n'
  expect(leadingFacts(`${program}rule(X) :- east(X).`)).toMatchObject({
    facts: { length: 3 },
    rest: '\nrule(X) :- east(X).',
  })
  expect(leadingFacts('p(a).q(b).')).toEqual({ facts: [], rest: 'p(a).q(b).' })
})

it('is linear in names that never end', () => {
  const text = `p(${'a, '.repeat(200_000)}`
  expect(leadingFacts(text)).toEqual({ facts: [], rest: text })
})
