import { describe, expect, it } from 'vitest'
import type { Json, Task } from '../../../src/core/index.ts'
import { comparison } from '../../../src/tasks/recoglab/comparison/task.ts'
import { families } from '../../../src/tasks/recoglab/families/task.ts'
import { social } from '../../../src/tasks/recoglab/social/task.ts'
import { syllogism } from '../../../src/tasks/recoglab/syllogism/task.ts'
import { itemsOf, sourceOf } from './items.ts'

/**
 * Seeded faults: a generator with the fault would store, for the question it shows, the answer of another question. The
 * oracle must object to some of 300 items, and the witness checker to as many.
 */
/** Faults reach into the JSON of four tasks, whatever its shape. */
type Any = ReturnType<typeof JSON.parse>
type Fault = (given: Any) => Any

function caught(
  task: Task,
  config: { [key: string]: Json },
  fault: Fault,
): { oracle: number; checker: number; kept: number } {
  const counts = { oracle: 0, checker: 0, kept: 0 }
  for (const { shared, given, answer } of itemsOf(sourceOf(task, config), 300)) {
    const faulty = fault(structuredClone(given)) as Json
    counts.kept++
    if (!task.oracle({ shared, given: faulty }, answer)) counts.oracle++
    const problem = { shared, given: faulty, answer }
    if (!task.check(problem, task.witness({ shared, given, answer }))) counts.checker++
  }
  return counts
}

const without = (list: Any[], i: number): Any[] => list.filter((_, j) => j !== (i + list.length) % list.length)
const turned = ([u, v]: Any): Any => [v, u]

const comparisonFaults: { [name: string]: Fault } = {
  'first statement lost': (g) => ({ ...g, statements: without(g.statements, 0) }),
  'last statement lost': (g) => ({ ...g, statements: without(g.statements, -1) }),
  'middle statement lost': (g) => ({ ...g, statements: without(g.statements, Math.floor(g.statements.length / 2)) }),
  'first statement turned': (g) => ({ ...g, statements: [turned(g.statements[0]), ...g.statements.slice(1)] }),
  'last statement turned': (g) => ({ ...g, statements: [...g.statements.slice(0, -1), turned(g.statements.at(-1))] }),
  'all statements turned': (g) => ({ ...g, statements: g.statements.map(turned) }),
  'asked swapped': (g) => ({ ...g, ask: { ...g.ask, first: g.ask.second, second: g.ask.first } }),
  'word swapped': (g) => ({ ...g, ask: { ...g.ask, word: g.ask.word === 'lesser' ? 'greater' : 'lesser' } }),
  'neighbour asked': (g) => ({ ...g, ask: { ...g.ask, first: (g.ask.first + 1) % g.entities.length } }),
  'statement about another': (g) => ({
    ...g,
    statements: [[g.statements[0][0], (g.statements[0][1] + 1) % g.entities.length], ...g.statements.slice(1)],
  }),
}
const socialFaults: { [name: string]: Fault } = {
  'first tie lost': (g) => ({ ...g, edges: without(g.edges, 0) }),
  'last tie lost': (g) => ({ ...g, edges: without(g.edges, -1) }),
  'a tie too many': (g) => ({ ...g, edges: [...g.edges, [g.ask.from, g.ask.to]] }),
  'ends swapped': (g) => ({ ...g, ask: { ...g.ask, from: g.ask.to, to: g.ask.from } }),
  'target off by one': (g) => ({ ...g, ask: { ...g.ask, to: (g.ask.to + 1) % g.people.length } }),
  'one way for both ways': (g) => ({ ...g, oneWay: true }),
  'people shifted': (g) => ({ ...g, people: [...g.people.slice(1), g.people[0]] }),
}
const syllogismFaults: { [name: string]: Fault } = {
  'first premise lost': (g) => ({ ...g, premises: without(g.premises, 0) }),
  'last premise lost': (g) => ({ ...g, premises: without(g.premises, -1) }),
  'first premise converted': (g) => ({
    ...g,
    premises: [[g.premises[0][0], g.premises[0][2], g.premises[0][1]], ...g.premises.slice(1)],
  }),
  'All for No': (g) => ({ ...g, premises: g.premises.map(([m, s, p]: Any) => [m === 'E' ? 'A' : m, s, p]) }),
  'Some for Some-not': (g) => ({ ...g, premises: g.premises.map(([m, s, p]: Any) => [m === 'O' ? 'I' : m, s, p]) }),
  'Some for All': (g) => ({ ...g, premises: g.premises.map(([m, s, p]: Any) => [m === 'A' ? 'I' : m, s, p]) }),
  'subject and predicate swapped': (g) => ({
    ...g,
    ask: { ...g.ask, subject: g.ask.predicate, predicate: g.ask.subject },
  }),
}
const familiesFaults: { [ask: string]: { [name: string]: Fault } } = {
  size: {
    'last member lost': (g) => ({
      ...g,
      families: g.families.map((f: Any) => ({ ...f, members: f.members.slice(0, -1) })),
    }),
    'next family': (g) => ({ ...g, ask: { ...g.ask, family: (g.ask.family + 1) % g.families.length } }),
  },
  older: {
    'ages reversed': (g) => ({
      ...g,
      families: g.families.map((f: Any) => ({
        ...f,
        members: f.members.map((m: Any) => ({ ...m, age: 100 - m.age })),
      })),
    }),
    'other end of the alphabet': (g) => ({ ...g, ask: { ...g.ask, tie: g.ask.tie === 'first' ? 'last' : 'first' } }),
  },
  'shared-hobbies': {
    'first hobby lost': (g) => ({
      ...g,
      families: g.families.map((f: Any) => ({
        ...f,
        members: f.members.map((m: Any) => ({ ...m, hobbies: m.hobbies.slice(1) })),
      })),
    }),
  },
}

const cases: [string, Task, { [key: string]: Json }, Fault][] = [
  ...Object.entries(comparisonFaults).flatMap(([name, fault]): typeof cases => [
    [`feasibility: ${name}`, comparison, { ask: 'feasibility', network: 'tree', entities: 8, minDistance: 2 }, fault],
    ...(name.includes('statement') && !name.startsWith('all')
      ? ([
          [`consistency: ${name}`, comparison, { ask: 'consistency', network: 'tree', entities: 8 }, fault],
        ] as typeof cases)
      : []),
  ]),
  ...Object.entries(socialFaults).flatMap(([name, fault]): typeof cases => [
    // Hops are the same in both directions.
    ...(name === 'ends swapped' ? [] : ([[`hops: ${name}`, social, {}, fault]] as typeof cases)),
    [`path: ${name}`, social, { ask: 'path' }, fault],
  ]),
  ...Object.entries(syllogismFaults).map(([name, fault]): (typeof cases)[number] => [
    `syllogism: ${name}`,
    syllogism,
    { distractors: 'none', terms: 4 },
    fault,
  ]),
  ...Object.entries(familiesFaults).flatMap(([ask, faults]) =>
    Object.entries(faults).map(([name, fault]): (typeof cases)[number] => [
      `${ask}: ${name}`,
      families,
      { ask, families: 6 },
      fault,
    ]),
  ),
]

/**
 * Faults that change no answer: the last statement of a walk is about somebody with one neighbour, who is never asked
 * about; and numbers of hops do not depend on names.
 */
const harmless = ['feasibility: last statement lost', 'feasibility: last statement turned', 'hops: people shifted']

describe('seeded faults are caught', () => {
  it.each(cases.filter(([name]) => !harmless.includes(name)))('%s', (_, task, config, fault) => {
    const { oracle, checker, kept } = caught(task, config, fault)
    expect(kept).toBe(300)
    expect(oracle).toBeGreaterThan(0)
    expect(checker).toBeGreaterThanOrEqual(oracle)
  })
})
