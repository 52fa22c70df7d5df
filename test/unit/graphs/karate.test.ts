import { expect, it } from 'vitest'
import { karateClub } from '../../../src/libraries/graphs/generate.ts'

/** Members' numbers of friends and of triangles, as the literature on Zachary's club has them. */
const degrees = [
  16, 9, 10, 6, 3, 4, 4, 4, 5, 2, 3, 1, 2, 5, 2, 2, 2, 2, 2, 3, 2, 2, 2, 5, 3, 3, 2, 4, 3, 4, 4, 6, 12, 17,
]

it('every member of the karate club has its friends, and 45 trios are friends of each other', () => {
  const friends = Array.from({ length: karateClub.n }, () => new Set<number>())
  for (const [u, v] of karateClub.edges) {
    expect(u).toBeLessThan(v)
    friends[u]?.add(v)
    friends[v]?.add(u)
  }
  expect(friends.map((set) => set.size)).toEqual(degrees)
  const triangles = karateClub.edges.map(([u, v]) => [...(friends[u] ?? [])].filter((w) => friends[v]?.has(w)).length)
  expect(triangles.reduce((a, b) => a + b) / 3).toBe(45)
})
