import { describe, expect, it } from 'vitest'
import { isObject, type Json } from '../../../src/core/index.ts'
import { solve as solveComparison } from '../../../src/tasks/recoglab/comparison/oracle.ts'
import type { Given, Shared, Statement } from '../../../src/tasks/recoglab/comparison/question.ts'
import { comparison } from '../../../src/tasks/recoglab/comparison/task.ts'
import { recoglab } from '../../../src/tasks/recoglab/index.ts'
import { social } from '../../../src/tasks/recoglab/social/task.ts'
import { countermodel, holds, modelOf } from '../../../src/tasks/recoglab/syllogism/oracle.ts'
import { type Mood, moods, type Proposition } from '../../../src/tasks/recoglab/syllogism/question.ts'
import { itemsOf, sourceOf } from './items.ts'

const shared = {} as Shared

function permutations(list: readonly number[]): number[][] {
  if (list.length <= 1) return [[...list]]
  return list.flatMap((first, i) => permutations(list.filter((_, j) => j !== i)).map((rest) => [first, ...rest]))
}

describe('small worlds, all cases', () => {
  it('comparison and consistency: all 4,096 digraphs on four entities against all 24 orders', () => {
    const pairs: Statement[] = [0, 1, 2, 3].flatMap((u) =>
      [0, 1, 2, 3].flatMap((v): Statement[] => (u === v ? [] : [[u, v]])),
    )
    const ranks = permutations([0, 1, 2, 3]).map((order) => [0, 1, 2, 3].map((v) => order.indexOf(v)))
    const entities = ['a', 'b', 'c', 'd']
    for (let bits = 0; bits < 4096; bits++) {
      const statements = pairs.filter((_, i) => ((bits >> i) & 1) === 1)
      const fitting = ranks.filter((rank) => statements.every(([u, v]) => (rank[u] as number) < (rank[v] as number)))
      const given = (ask: Given['ask']): Given => ({ relation: 'age', entityKind: 'names', entities, statements, ask })
      expect(solveComparison({ shared, given: given({ kind: 'consistency' }) })).toBe(
        fitting.length > 0 ? 'Consistent' : 'Inconsistent',
      )
      if (fitting.length === 0) continue
      const said = solveComparison({
        shared,
        given: given({ kind: 'order', first: 0, second: 1, word: 'lesser', open: true }),
      })
      const below = fitting.filter((rank) => (rank[0] as number) < (rank[1] as number)).length
      expect(said).toBe(below === fitting.length ? 'Yes' : below === 0 ? 'No' : 'Unknown')
    }
  })

  it('syllogism: all 256 forms, with and without import, against all sets of kinds of individual', () => {
    // Three terms have eight kinds of individual; a world is the set of kinds that occur.
    const kinds = Array.from({ length: 8 }, (_, kind) => [0, 1, 2].filter((t) => ((kind >> t) & 1) === 1))
    const worlds = Array.from({ length: 256 }, (_, world) => kinds.filter((_, kind) => ((world >> kind) & 1) === 1))
    const figures: readonly (readonly [readonly [number, number], readonly [number, number]])[] = [
      [
        [1, 2],
        [0, 1],
      ],
      [
        [2, 1],
        [0, 1],
      ],
      [
        [1, 2],
        [1, 0],
      ],
      [
        [2, 1],
        [1, 0],
      ],
    ]
    const valid = { false: 0, true: 0 }
    for (const existentialImport of [false, true])
      for (const [major, minor] of figures)
        for (const a of moods)
          for (const b of moods) {
            const premises: Proposition[] = [
              [a, ...major],
              [b, ...minor],
            ]
            const models = worlds.filter(
              (world) =>
                premises.every((premise) => holds(world, premise)) &&
                (!existentialImport || [0, 1, 2].every((t) => world.some((kind) => kind.includes(t)))),
            )
            expect(modelOf(3, premises, existentialImport) !== null).toBe(models.length > 0)
            for (const mood of moods as readonly Mood[]) {
              const conclusion: Proposition = [mood, 0, 2]
              const follows = models.every((world) => holds(world, conclusion))
              const counter = countermodel(3, premises, conclusion, existentialImport)
              expect(counter === null).toBe(follows)
              if (counter !== null) {
                expect(premises.every((premise) => holds(counter, premise))).toBe(true)
                expect(holds(counter, conclusion)).toBe(false)
              }
              if (follows && models.length > 0) valid[existentialImport ? 'true' : 'false']++
            }
          }
    // The classical counts: 15 valid forms, 24 with existential import.
    expect(valid).toEqual({ false: 15, true: 24 })
  })
})

/** Each witness with one number moved by one. */
function* corrupted(value: Json): Generator<Json> {
  if (typeof value === 'number') yield value + 1
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    for (let i = 0; i < list.length; i++)
      for (const part of corrupted(list[i] as Json)) yield [...list.slice(0, i), part, ...list.slice(i + 1)]
  }
  if (isObject(value))
    for (const [key, inner] of Object.entries(value))
      for (const part of corrupted(inner)) yield { ...value, [key]: part }
}

describe('witnesses', () => {
  it('of comparison are refused with any one number changed', () => {
    for (const config of [
      { entities: 8 },
      { ask: 'consistency', network: 'tree', entities: 8 },
      { ask: 'feasibility', network: 'tree', entities: 17, minDistance: 2 },
    ])
      for (const item of itemsOf(sourceOf(comparison, config), 60)) {
        const problem = { shared: item.shared, given: item.given, answer: item.answer }
        const proof = comparison.witness(problem)
        expect(comparison.check(problem, proof)).toBe(true)
        for (const bad of corrupted(proof))
          expect(comparison.check(problem, bad), JSON.stringify([proof, bad])).toBe(false)
      }
  })

  it('of ways are refused with any one step changed', () => {
    for (const item of itemsOf(sourceOf(social, { ask: 'path', people: 12 }), 60)) {
      const problem = { shared: item.shared, given: item.given, answer: item.answer }
      const proof = social.witness(problem) as { way: number[]; height: number[] }
      for (const way of corrupted(proof.way)) expect(social.check(problem, { ...proof, way })).toBe(false)
    }
  })

  it('prove their own answer and no other, and nothing else is a witness', () => {
    for (const task of recoglab.tasks)
      for (const item of itemsOf(sourceOf(task, {}), 20)) {
        const question = { shared: item.shared, given: item.given }
        const proof = task.witness({ ...question, answer: item.answer })
        for (const choice of task.choices?.(question) ?? []) {
          const found = task.parsers?.strict(choice, question)
          if (found?.kind !== 'extracted' || JSON.stringify(found.answer) === JSON.stringify(item.answer)) continue
          expect(task.check({ ...question, answer: found.answer }, proof)).toBe(false)
        }
        for (const nothing of [null, [], {}, 'x', 7, [null], { path: [] }])
          expect(task.check({ ...question, answer: item.answer }, nothing)).toBe(false)
      }
  })
})

describe('independence', () => {
  it('oracle and draw of a task share no code but types, core and the question', async () => {
    const { readFileSync } = await import('node:fs')
    const { join } = await import('node:path')
    const root = join(import.meta.dirname, '../../../src/tasks/recoglab')
    const imports = (file: string, seen = new Set<string>()): Set<string> => {
      for (const [, clause, path] of readFileSync(file, 'utf8').matchAll(/^import (type )?[^;]*?from '(\.[^']+)'/gms)) {
        if (clause !== undefined) continue
        const target = join(file, '..', path as string)
        if (seen.has(target) || target.includes('/core/')) continue
        seen.add(target)
        imports(target, seen)
      }
      return seen
    }
    for (const task of ['comparison', 'social', 'syllogism', 'families']) {
      const draw = imports(join(root, task, 'draw.ts'))
      const common = [...imports(join(root, task, 'oracle.ts'))].filter(
        (file) => draw.has(file) && !file.endsWith('/question.ts'),
      )
      expect(draw.size).toBeGreaterThan(3)
      expect(common, task).toEqual([])
    }
  })
})
