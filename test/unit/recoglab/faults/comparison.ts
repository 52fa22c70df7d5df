import { comparison } from '../../../../src/tasks/recoglab/comparison/task.ts'
import { type Any, answering, asking, type Faults, finding, turned, without } from './fault.ts'

const orders = (g: Any): boolean => g.ask.kind === 'order'
const ends = (g: Any): [less: number, more: number] =>
  g.ask.word === 'lesser' ? [g.ask.first, g.ask.second] : [g.ask.second, g.ask.first]
const inOrder = (edit: (g: Any) => Any) => asking((g) => (orders(g) ? edit(g) : null))

/** Who is known to be below whom, by the textbook's three loops; `loops` may put them in another order. */
function reach(n: number, edges: Any[], loops: 'kij' | 'ijk' = 'kij'): boolean[][] {
  const r = Array.from({ length: n }, () => Array.from({ length: n }, () => false))
  for (const [u, v] of edges) (r[u] as boolean[])[v] = true
  for (let a = 0; a < n; a++)
    for (let b = 0; b < n; b++)
      for (let c = 0; c < n; c++) {
        const [k, i, j] = loops === 'kij' ? [a, b, c] : [c, a, b]
        if (r[i]?.[k] === true && r[k]?.[j] === true) (r[i] as boolean[])[j] = true
      }
  return r
}
const said = (g: Any, up: boolean | undefined, down: boolean | undefined): string =>
  up === true ? 'Yes' : down === true || !g.ask.open ? 'No' : 'Unknown'

/** An oracle for questions about two, by some relation "less is below more". */
const byRelation = (relation: (g: Any) => boolean[][]) =>
  finding((g) => {
    if (!orders(g)) return null
    const [less, more] = ends(g)
    const r = relation(g)
    return said(g, r[less]?.[more], r[more]?.[less])
  })
/** An oracle for consistency: what it takes for a contradiction. */
const byContradiction = (found: (g: Any) => boolean) =>
  finding((g) => (orders(g) ? null : found(g) ? 'Inconsistent' : 'Consistent'))

const two = (n: number, edges: Any[]): boolean[][] => {
  const r = reach(n, [])
  for (const [u, v] of edges) {
    ;(r[u] as boolean[])[v] = true
    for (const [x, y] of edges) if (x === v) (r[u] as boolean[])[y] = true
  }
  return r
}

export const faults: Faults = {
  task: comparison,
  configs: [
    {},
    { network: 'tree' },
    { ask: 'feasibility', network: 'tree', entities: 17, minDistance: 2 },
    { ask: 'consistency', network: 'tree', entities: 8 },
  ],
  wrong: ({ answer }, choices) => choices.filter((choice) => choice !== answer),
  generator: {
    'first statement lost': asking((g) => ({ ...g, statements: without(g.statements, 0) })),
    'middle statement lost': asking((g) => ({ ...g, statements: without(g.statements, g.statements.length >> 1) })),
    'last statement lost': asking((g) => ({ ...g, statements: without(g.statements, -1) })),
    'first statement turned': asking((g) => ({
      ...g,
      statements: [turned(g.statements[0]), ...g.statements.slice(1)],
    })),
    'last statement turned': asking((g) => ({
      ...g,
      statements: [...g.statements.slice(0, -1), turned(g.statements.at(-1))],
    })),
    'all statements turned': asking((g) => ({ ...g, statements: g.statements.map(turned) })),
    'a statement twice, its neighbour never': asking((g) => ({
      ...g,
      statements: [g.statements[0], ...g.statements.slice(0, -1)],
    })),
    'a statement and its opposite': asking((g) => ({ ...g, statements: [...g.statements, turned(g.statements[0])] })),
    'a statement about the next entity': asking((g) => ({
      ...g,
      statements: [[g.statements[0][0], (g.statements[0][1] + 1) % g.entities.length], ...g.statements.slice(1)],
    })),
    'asked about swapped': inOrder((g) => ({ ...g, ask: { ...g.ask, first: g.ask.second, second: g.ask.first } })),
    'first asked about off by one': inOrder((g) => ({
      ...g,
      ask: { ...g.ask, first: (g.ask.first + 1) % g.entities.length },
    })),
    'second asked about off by one': inOrder((g) => ({
      ...g,
      ask: { ...g.ask, second: (g.ask.second + 1) % g.entities.length },
    })),
    'comparatives exchanged': inOrder((g) => ({
      ...g,
      ask: { ...g.ask, word: g.ask.word === 'lesser' ? 'greater' : 'lesser' },
    })),
    'Unknown taken for No': answering((a) => (a === 'Unknown' ? 'No' : null)),
    'No taken for Unknown': answering((a, g) => (a === 'No' && g.ask.open ? 'Unknown' : null)),
    'consistent and inconsistent exchanged': answering((a) =>
      a === 'Consistent' ? 'Inconsistent' : a === 'Inconsistent' ? 'Consistent' : null,
    ),
    'a chain closed to a ring': inOrder((g) => ({
      ...g,
      statements: [...g.statements, [g.statements.at(-1)[1], g.statements[0][0]]],
    })),
  },
  oracle: {
    'only what is stated': byRelation((g) =>
      two(g.entities.length, g.statements).map((_, i, all) =>
        all.map((__, j) => g.statements.some(([u, v]: Any) => u === i && v === j)),
      ),
    ),
    'two statements at most': byRelation((g) => two(g.entities.length, g.statements)),
    'middle entity in the innermost loop': byRelation((g) => reach(g.entities.length, g.statements, 'ijk')),
    'directions ignored': byRelation((g) => reach(g.entities.length, [...g.statements, ...g.statements.map(turned)])),
    'first statement not read': byRelation((g) => reach(g.entities.length, g.statements.slice(1))),
    'last entity left out': byRelation((g) =>
      reach(
        g.entities.length,
        g.statements.filter((s: Any) => !s.includes(g.entities.length - 1)),
      ),
    ),
    'comparative not looked at': finding((g) => {
      if (!orders(g)) return null
      const r = reach(g.entities.length, g.statements)
      return said(g, r[g.ask.first]?.[g.ask.second], r[g.ask.second]?.[g.ask.first])
    }),
    'never Unknown': byRelation((g) => {
      const r = reach(g.entities.length, g.statements)
      return r.map((row, i) => row.map((below, j) => below || r[j]?.[i] !== true))
    }),
    'only opposite statements contradict': byContradiction((g) =>
      g.statements.some(([u, v]: Any) => g.statements.some(([x, y]: Any) => x === v && y === u)),
    ),
    'any ring of statements contradicts': byContradiction((g) => g.statements.length >= g.entities.length),
    'rings through the first entity only': byContradiction(
      (g) => reach(g.entities.length, g.statements)[0]?.[0] === true,
    ),
  },
  survivors: {},
}
