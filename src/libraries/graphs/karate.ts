import type { Edge, Graph } from './graph.ts'

/** Of each member those after it that it met outside the club. */
const after: readonly (readonly number[])[] = [
  [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31],
  [2, 3, 7, 13, 17, 19, 21, 30],
  [3, 7, 8, 9, 13, 27, 28, 32],
  [7, 12, 13],
  [6, 10],
  [6, 10, 16],
  [16],
  [],
  [30, 32, 33],
  [33],
  [],
  [],
  [],
  [33],
  [32, 33],
  [32, 33],
  [],
  [],
  [32, 33],
  [33],
  [32, 33],
  [],
  [32, 33],
  [25, 27, 29, 32, 33],
  [25, 27, 31],
  [31],
  [29, 33],
  [33],
  [31, 33],
  [32, 33],
  [32, 33],
  [32, 33],
  [33],
  [],
]

/** The friendships of a karate club: 34 members, 78 pairs (Zachary 1977, figure 1, members from 0). */
export const karateClub: Graph = {
  n: after.length,
  edges: after.flatMap((list, u) => list.map((v): Edge => [u, v])),
}
