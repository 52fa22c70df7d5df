import { describe, expect, it } from 'vitest'
import { Fault } from '../../../src/tasks/slr-bench/prolog/limits.ts'
import { prove } from '../../../src/tasks/slr-bench/prolog/machine.ts'
import { readProgram } from '../../../src/tasks/slr-bench/prolog/read.ts'
import { atom, byIndicator } from '../../../src/tasks/slr-bench/prolog/terms.ts'
import { type Said, tauProves } from './tau.ts'

const run = (program: string, steps = 400_000): string => {
  const verdict = prove(byIndicator(readProgram(program)), atom('ask'), steps)
  return verdict.kind === 'fault' ? verdict.fault.fault : verdict.kind
}
const asks = (body: string): string => `ask :- ${body}.\n`

const facts = `
p(1). p(2). p(3). p(4).
q(2, a). q(3, b). q(4, a). q(5, c).
edge(a, b). edge(b, c). edge(c, d).
path(X, Y) :- edge(X, Y).
path(X, Z) :- edge(X, Y), path(Y, Z).
first(X) :- p(X), !.
twice(X, Y) :- Y is X * 2.
`

/** What each goal means in ISO Prolog with lists; both interpreters must say so. */
const goals: readonly (readonly [goal: string, said: Said])[] = [
  ['p(1), p(4)', 'proved'],
  ['p(5)', 'refuted'],
  ['path(a, d)', 'proved'],
  ['path(d, a)', 'refuted'],
  ['\\+ p(5), \\+ \\+ p(1)', 'proved'],
  ['p(X), X > 3, q(X, a)', 'proved'],
  ['p(X), q(X, c)', 'refuted'],
  ['first(1)', 'proved'],
  ['first(X), X > 1', 'refuted'],
  ['( p(9) -> fail ; true )', 'proved'],
  ['( p(X), X > 2 -> X =:= 3 ; fail )', 'proved'],
  ['( p(X) -> X =:= 2 ; true )', 'refuted'],
  ['( p(9) ; p(1) )', 'proved'],
  ['( p(X), ! , X > 1 ; true )', 'refuted'],
  ['( true -> ! ; true ), fail ; true', 'refuted'],
  ['\\+ ( !, fail )', 'proved'],
  ['findall(X, p(X), L), length(L, 4)', 'proved'],
  ['findall(X-Y, (p(X), q(X, Y)), [2-a, 3-b, 4-a])', 'proved'],
  ['findall(X, p(X), L), sum_list(L, 10)', 'proved'],
  ['setof(Y, X^q(X, Y), [a, b, c])', 'proved'],
  ['bagof(X, q(X, Y), [3]), Y == b', 'proved'],
  ['bagof(X, q(X, a), [2, 4])', 'proved'],
  ['bagof(X, q(X, z), _)', 'refuted'],
  ['forall(p(X), X < 5)', 'proved'],
  ['forall(p(X), X < 4)', 'refuted'],
  ['member(X, [a, b]), X == b', 'proved'],
  ['append(X, [c], [a, b, c]), X = [a, b]', 'proved'],
  ['append([1], L, [1, 2, 3]), L = [H|T], H =:= 2, T == [3]', 'proved'],
  ['nth0(1, [a, b, c], b), nth1(1, [a, b, c], a)', 'proved'],
  ['length(L, 2), L = [a|_]', 'proved'],
  ['X = f(Y, Z), Y = 1, X == f(1, Z)', 'proved'],
  ['f(X, X) = f(a, b)', 'refuted'],
  ['X = 2, Y is X * 3 + 4 mod 3 - 1, Y =:= 6', 'proved'],
  ['7 // 2 =:= 3, -7 // 2 =:= -3, -7 mod 3 =:= 2', 'proved'],
  ['X is 2 ** 3, X =:= 8', 'proved'],
  ['1 - 2 - 3 =:= -4', 'proved'],
  ['(-1) ** 3 =:= -1, 5 ** 0 =:= 1, 2 ^ 10 =:= 1024', 'proved'],
  ['2 = 2.0', 'refuted'],
  ['2 =:= 2.0', 'proved'],
  ['a @< b, 1 @< a, a @< f(a), f(b) @< g(a), f(z) @< f(a, a)', 'proved'],
  ['a \\= b, \\+ a \\= a, a \\== b, X \\== Y', 'proved'],
  ['sort([c, a, b, a], [a, b, c]), msort([b, a, b], [a, b, b])', 'proved'],
  ['between(1, 5, X), X > 4, \\+ between(1, 3, 4)', 'proved'],
  ['G = p(X), call(G), X >= 4', 'proved'],
  ['call(twice, 2, 4), \\+ call(twice(2), 5)', 'proved'],
  ['F =.. [f, 1, 2], F == f(1, 2), g(3) =.. [g, N], N =:= 3', 'proved'],
  ['atom(a), \\+ atom(1), integer(1), var(_), nonvar(a), atomic(a), compound(f(a))', 'proved'],
  ['once(p(X)), X =:= 1', 'proved'],
  ['maplist(p, [1, 2]), \\+ maplist(p, [1, 9])', 'proved'],
  ['reverse([1, 2, 3], [3, 2, 1]), last([1, 2], 2), max_list([1, 5, 2], 5), min_list([3, 1], 1)', 'proved'],
  ['select(b, [a, b, c], [a, c]), \\+ select(d, [a], _)', 'proved'],
  ['X < 1', 'fault'],
  ['unheard_of(1)', 'fault'],
  ['X is foo + 1', 'fault'],
  ['call(1)', 'fault'],
  ['Y = 0, X is 1 // Y', 'fault'],
]

describe('the interpreter', () => {
  it.each(goals)('says of %s: %s', (goal, said) => {
    const found = run(facts + asks(goal))
    expect(['proved', 'refuted'].includes(found) ? found : 'fault').toBe(said)
  })

  it.each(goals)('so does another interpreter: %s', async (goal, said) => {
    expect(await tauProves(facts + asks(goal), 'ask')).toBe(said)
  })

  it.each([
    ['dif(a, b)', 'proved'],
    ['dif(a, a)', 'refuted'],
    ['dif(X, Y), X = a, Y = b', 'type'],
    ['aggregate_all(count, p(_), 4), aggregate_all(max(X), p(X), 4), aggregate_all(sum(X), p(X), 10)', 'proved'],
    ['aggregate_all(bag(X), p(X), [1, 2, 3, 4]), aggregate_all(min(X), q(X, _), 2)', 'proved'],
    ['aggregate_all(max(X), (p(X), X > 9), _)', 'refuted'],
    ['not(p(9)), not p(9)', 'syntax'],
    ['subtract([a, b], [b], [a]), intersection([a, b], [b, c], [b]), subset([a], [b, a])', 'proved'],
    ['include(p, [1, 9, 2], [1, 2]), exclude(p, [1, 9], [9])', 'proved'],
    ['succ(1, 2), succ(X, 3), X == 2', 'proved'],
  ])('says of %s, which is of SWI-Prolog: %s', (goal, said) => {
    let found: string
    try {
      found = run(facts + asks(goal))
    } catch (error) {
      found = error instanceof Fault ? error.fault : String(error)
    }
    expect(found).toBe(said)
  })

  it('reads comments, quoted names, zero-argument heads and directives that are not run', () => {
    const program = `:- dynamic foo/1.\n:- initialization(halt).\n/* a. */ % b.\n'Ab c'('X'). ask :- 'Ab c'('X'), \\+ foo(1).\nfoo(2).`
    expect(run(program)).toBe('proved')
  })

  it.each([
    'ask :- p(.',
    'ask :- p(a)',
    'ask :- .',
    ':- :- :-.',
    'ask :- "text" = X.',
    "ask :- 'never closed.",
    '1 :- true.',
    'X :- true.',
    '(a, b) :- true.',
    'true :- fail.',
    '\\+ a.',
    'a ; b.',
    'ask :- [a, b.',
    'ask :- a b.',
    'ask :- {a}.',
    '/* open',
    "'a\\nb'.",
    '\u0000a.',
    "'\u0000a'.",
    '99999999999999999999.',
  ])('reads no Prolog in %j', (text) => {
    expect(() => readProgram(text)).toThrow(Fault)
  })
})

/** Each would hang, fill the memory or run out of stack where nothing stops it. */
const hostile: readonly (readonly [what: string, program: string])[] = [
  ['left recursion', 'ask :- ask, true.'],
  ['endless recursion', 'ask :- ask.'],
  ['endless choices', 'ask :- between(1, 1000000000, X), X < 0.'],
  [
    'a tree of proofs',
    'n(0). n(1). ask :- n(A), n(B), t(30), A > 1, B > 1.\nt(0). t(N) :- N > 0, M is N - 1, n(_), t(M).',
  ],
  ['a cyclic term', 'ask :- X = f(X), Y = f(Y), X = Y.'],
  ['a cyclic term copied', 'ask :- X = f(X), findall(X, true, L), L = [].'],
  ['a cyclic term compared', 'ask :- X = [X|X], Y = [Y|Y], X == Y.'],
  ['a cyclic term gathered', 'ask :- X = f(X, Y), bagof(Y, p(X), _).'],
  ['a cyclic list measured', 'ask :- X = [a|X], length(X, _).'],
  ['a term that doubles', `ask :- d(60, X), d(60, Y), X = Y.\nd(0, a). d(N, f(T, T)) :- N > 0, M is N - 1, d(M, T).`],
  ['a list that grows', 'ask :- g([]).\ng(L) :- g([a|L]).'],
  ['long lists', 'ask :- between(1, 100000, _), length(L, 9999), L = b.'],
  ['a huge list', 'ask :- length(L, 1000000000).'],
  ['all solutions of no end', 'ask :- findall(X, n(X), L), L = [].\nn(0). n(X) :- n(Y), X is Y + 1.'],
  ['denials inside denials', 'ask :- \\+ ask.'],
  ['gathering inside gathering', 'ask :- findall(a, ask, _).'],
  ['deep calls', 'ask :- c(true). c(G) :- c(call(G)).'],
  ['a chain of variables', `ask :- c(X, X).\nc(X, Y) :- Y = Z, X == X, c(X, Z).`],
  ['numbers that grow', 'ask :- n(2). n(X) :- Y is X * X, n(Y).'],
  ['control of ours', "ask :- '$cut'(0)."],
  ['goals with ever more arguments', 'ask :- a(x). a(G) :- G =.. L, append(L, [y, y, y, y], M), H =.. M, a(H).'],
]

describe('hostile programs', () => {
  it.each(hostile)('%s ends in time', (_, program) => {
    const began = performance.now()
    expect(['unknown', 'type', 'resource', 'refuted']).toContain(run(program))
    expect(performance.now() - began).toBeLessThan(3000)
  })

  it.each([
    ['brackets', '('.repeat(100_000)],
    ['lists', '['.repeat(100_000)],
    ['signs', '- '.repeat(100_000)],
    ['operators', `ask :- ${'a, '.repeat(100_000)}a.`],
    ['sums', `ask :- X is ${'1 + '.repeat(100_000)}1.`],
    ['one long name', `${'a'.repeat(500_000)}.`],
    ['comments', '/**/'.repeat(100_000)],
    ['blanks', ' '.repeat(900_000)],
    ['percents', '%\n'.repeat(400_000)],
    ['full stops', '. '.repeat(100_000)],
  ])('%s are read in time', (_, text) => {
    const began = performance.now()
    try {
      run(text)
    } catch (error) {
      expect(error).toBeInstanceOf(Fault)
    }
    expect(performance.now() - began).toBeLessThan(3000)
  })

  it.each([
    "consult('/etc/passwd')",
    "open('/etc/passwd', read, S)",
    "see('/etc/passwd')",
    "shell('ls')",
    "use_module(library(os)), shell('ls')",
    'halt',
    'assertz(p(9))',
    'retract(p(1))',
    'read(X)',
    'sleep(100)',
    "atom_codes('a', X)",
    "load_files('x')",
  ])('%s is nothing that anybody has defined', (goal) => {
    expect(run(facts + asks(goal))).toBe('unknown')
  })

  it('takes the same steps each time', () => {
    const program = facts + asks('findall(X-Y, path(X, Y), L), msort(L, M), length(M, 6)')
    const least = [...Array(2000).keys()].find((steps) => run(program, steps) === 'proved')
    expect([...Array(2000).keys()].find((steps) => run(program, steps) === 'proved')).toBe(least)
    expect(least).toBeGreaterThan(20)
  })
})
