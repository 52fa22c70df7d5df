import { byIndicator } from './program.ts'
import { readProgram } from './read.ts'

/** Predicates on lists that programs take for granted. */
const SOURCE = `
member(X, [X|_]).
member(X, [_|L]) :- member(X, L).
memberchk(X, L) :- once(member(X, L)).
append([], L, L).
append([X|A], B, [X|C]) :- append(A, B, C).
select(X, [X|L], L).
select(X, [Y|L], [Y|R]) :- select(X, L, R).
subtract([], _, []).
subtract([X|A], B, R) :- memberchk(X, B), !, subtract(A, B, R).
subtract([X|A], B, [X|R]) :- subtract(A, B, R).
intersection([], _, []).
intersection([X|A], B, R) :- ( memberchk(X, B) -> R = [X|S] ; R = S ), intersection(A, B, S).
subset([], _).
subset([X|A], B) :- memberchk(X, B), subset(A, B).
reverse(L, R) :- '$reverse'(L, [], R).
'$reverse'([], R, R).
'$reverse'([X|L], A, R) :- '$reverse'(L, [X|A], R).
last([X], X) :- !.
last([_|L], X) :- last(L, X).
nth0(N, L, X) :- '$nth'(L, 0, N, X).
nth1(N, L, X) :- '$nth'(L, 1, N, X).
'$nth'([X|_], N, N, X).
'$nth'([_|L], M, N, X) :- ( integer(N) -> M < N ; true ), K is M + 1, '$nth'(L, K, N, X).
sum_list(L, S) :- '$sum'(L, 0, S).
sumlist(L, S) :- '$sum'(L, 0, S).
'$sum'([], S, S).
'$sum'([X|L], A, S) :- B is A + X, '$sum'(L, B, S).
max_list([X|L], M) :- '$max'(L, X, M).
'$max'([], M, M).
'$max'([X|L], A, M) :- B is max(A, X), '$max'(L, B, M).
min_list([X|L], M) :- '$min'(L, X, M).
'$min'([], M, M).
'$min'([X|L], A, M) :- B is min(A, X), '$min'(L, B, M).
maplist(_, []).
maplist(G, [X|L]) :- call(G, X), maplist(G, L).
maplist(_, [], []).
maplist(G, [X|L], [Y|M]) :- call(G, X, Y), maplist(G, L, M).
include(_, [], []).
include(G, [X|L], R) :- ( call(G, X) -> R = [X|S] ; R = S ), include(G, L, S).
exclude(_, [], []).
exclude(G, [X|L], R) :- ( call(G, X) -> R = S ; R = [X|S] ), exclude(G, L, S).
once(G) :- call(G), !.
ignore(G) :- ( call(G) -> true ; true ).
forall(C, A) :- \\+ ( call(C), \\+ call(A) ).
`

export const library = byIndicator(readProgram(SOURCE))
