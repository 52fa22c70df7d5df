import { social } from '../../../../src/tasks/recoglab/social/task.ts'
import { type Any, answering, asking, type Faults, finding, type OracleFault, turned, without } from './fault.ts'

const isMessage = (g: Any): boolean => g.ask.from !== undefined
const ofMessage = (edit: (g: Any) => Any) => asking((g) => (isMessage(g) ? edit(g) : null))
const ofKind = (kind: string, edit: (answer: Any, given: Any) => Any) =>
  answering((a, g) => (g.ask.kind === kind ? edit(a, g) : null))
const ofFamily = (edit: (answer: Any, given: Any) => Any) => answering((a, g) => (isMessage(g) ? null : edit(a, g)))

/** Distances by the textbook's three loops; `loops` may put them in another order. */
function distances(g: Any, oneWay: boolean, loops: 'kij' | 'ijk' = 'kij'): number[][] {
  const n = g.people.length
  const d: number[][] = g.people.map((_: Any, i: number) => g.people.map((__: Any, j: number) => (i === j ? 0 : n)))
  for (const [u, v] of g.edges) {
    ;(d[u] as number[])[v] = 1
    if (!oneWay) (d[v] as number[])[u] = 1
  }
  for (let a = 0; a < n; a++)
    for (let b = 0; b < n; b++)
      for (let c = 0; c < n; c++) {
        const [k, i, j] = loops === 'kij' ? [a, b, c] : [c, a, b]
        const through = (d[i]?.[k] as number) + (d[k]?.[j] as number)
        if (through < (d[i]?.[j] as number)) (d[i] as number[])[j] = through
      }
  return d
}
const hops = (count: (g: Any) => number) => finding((g) => (g.ask.kind === 'hops' ? [String(count(g))] : null))

/** Someone or several of the family, by a wrong notion of who is oldest or youngest. */
const generation =
  (members: (g: Any, oldest: boolean) => number[]): OracleFault =>
  (g, answer) => {
    if (isMessage(g)) return null
    const names = new Set(members(g, g.ask.kind === 'oldest').map((v) => g.people[v]))
    return answer.length > 0 && answer.every((name: string) => names.has(name))
  }
const parentsAndChildren = (g: Any): [parent: number, child: number][] =>
  g.edges.map((edge: Any) => (g.relation === 'child' ? turned(edge) : edge))

/** Is it a walk between the two? Whether it is short is another matter. */
const walk =
  (right: (g: Any, at: number[]) => boolean): OracleFault =>
  (g, answer) => {
    if (g.ask.kind !== 'path') return null
    const at = answer.map((name: string) => g.people.indexOf(name))
    return right(g, at)
  }
const linked = (g: Any, at: number[]): boolean =>
  at.every(
    (v, i) =>
      i === 0 ||
      g.edges.some(([a, b]: Any) => (a === at[i - 1] && b === v) || (!g.oneWay && a === v && b === at[i - 1])),
  )

export const faults: Faults = {
  task: social,
  configs: [
    {},
    { ask: 'path' },
    { ask: 'next-hop', network: 'erdos-renyi', people: 12, edgePerMille: 250 },
    // A ring is needed: in a tree the only way there is goes in the right direction or nowhere.
    { relation: 'teacher', passing: 'one-way', network: 'erdos-renyi', people: 12, edgePerMille: 250 },
    { ask: 'oldest', relation: 'parent', candidates: 0 },
    { ask: 'youngest', relation: 'child', candidates: 0 },
  ],
  wrong: ({ given, answer }, choices) =>
    given.ask.kind !== 'path'
      ? choices.map((choice) => [choice]).filter(([choice]) => !answer.includes(choice))
      : [answer.slice(1), answer.slice(0, -1), [...answer.slice(0, 2), ...answer], [...answer].reverse()],
  generator: {
    'first tie lost': asking((g) => ({ ...g, edges: without(g.edges, 0) })),
    'last tie lost': asking((g) => ({ ...g, edges: without(g.edges, -1) })),
    'a tie too many': ofMessage((g) => ({ ...g, edges: [...g.edges, [g.ask.from, g.ask.to]] })),
    'first tie turned': asking((g) => ({ ...g, edges: [turned(g.edges[0]), ...g.edges.slice(1)] })),
    'all ties turned': asking((g) => ({ ...g, edges: g.edges.map(turned) })),
    'two ties crossed': asking((g) => {
      const [[a, b], [c, d], ...rest] = g.edges
      return { ...g, edges: [[a, d], [c, b], ...rest] }
    }),
    'sender and target swapped': ofMessage((g) => ({ ...g, ask: { ...g.ask, from: g.ask.to, to: g.ask.from } })),
    'target off by one': ofMessage((g) => ({ ...g, ask: { ...g.ask, to: (g.ask.to + 1) % g.people.length } })),
    'sender off by one': ofMessage((g) => ({ ...g, ask: { ...g.ask, from: (g.ask.from + 1) % g.people.length } })),
    'one way for both ways': ofMessage((g) => (g.oneWay ? null : { ...g, oneWay: true })),
    'both ways for one way': ofMessage((g) => (g.oneWay ? { ...g, oneWay: false } : null)),
    'people shifted': asking((g) => ({ ...g, people: [...g.people.slice(1), g.people[0]] })),
    'child read as parent': asking((g) => (g.relation === 'child' ? { ...g, relation: 'parent' } : null)),
    'oldest for youngest': asking((g) =>
      isMessage(g) ? null : { ...g, ask: { ...g.ask, kind: g.ask.kind === 'oldest' ? 'youngest' : 'oldest' } },
    ),
    'people counted, not hand-overs': ofKind('hops', ([n]) => [String(Number(n) + 1)]),
    'receiving not counted': ofKind('hops', ([n]) => [String(Number(n) - 1)]),
    'way without the sender': ofKind('path', (a) => a.slice(1)),
    'way without the target': ofKind('path', (a) => a.slice(0, -1)),
    'way backwards': ofKind('path', (a) => [...a].reverse()),
    'way with a detour': ofKind('path', (a) => [...a.slice(0, 2), ...a]),
    'target handed the message at once': ofKind('next-hop', (_, g) => [g.people[g.ask.to]]),
    'one of several next hops forgotten': ofKind('next-hop', (a) => (a.length > 1 ? a.slice(1) : null)),
    'one of the generation forgotten': ofFamily((a) => (a.length > 1 ? a.slice(1) : null)),
    'member asked about counted in': ofFamily((a, g) =>
      a.includes(g.people[g.ask.member]) ? null : [...a, g.people[g.ask.member]],
    ),
  },
  oracle: {
    'middle person in the innermost loop': hops((g) => distances(g, g.oneWay, 'ijk')[g.ask.from]?.[g.ask.to] as number),
    'direction ignored': hops((g) => distances(g, false)[g.ask.from]?.[g.ask.to] as number),
    'direction always heeded': hops((g) => distances(g, true)[g.ask.from]?.[g.ask.to] as number),
    'first tie not read': hops(
      (g) => distances({ ...g, edges: g.edges.slice(1) }, g.oneWay)[g.ask.from]?.[g.ask.to] as number,
    ),
    'three hops at most': hops((g) => Math.min(3, distances(g, g.oneWay)[g.ask.from]?.[g.ask.to] as number)),
    'length of a way not compared': walk((g, at) => at[0] === g.ask.from && at.at(-1) === g.ask.to && linked(g, at)),
    'ties of a way not looked at': walk(
      (g, at) => at.length - 1 === distances(g, g.oneWay)[at[0] as number]?.[at.at(-1) as number],
    ),
    'any neighbour will do': (g, answer) => {
      if (g.ask.kind !== 'next-hop') return null
      const near = g.edges.flatMap(([a, b]: Any) => (a === g.ask.from ? [b] : b === g.ask.from ? [a] : []))
      return answer.every((name: string) => near.some((v: number) => g.people[v] === name))
    },
    'oldest is who has no parents': generation((g, oldest) =>
      g.people.flatMap((_: Any, v: number) =>
        parentsAndChildren(g).some(([p, c]) => (oldest ? c : p) === v) ? [] : [v],
      ),
    ),
    'generations below the first person only': generation((g, oldest) => {
      const level = new Map([[0, 0]])
      for (let i = 0; i < g.people.length; i++)
        for (const [p, c] of parentsAndChildren(g)) if (level.has(p)) level.set(c, (level.get(p) as number) + 1)
      const wanted = oldest ? Math.min(...level.values()) : Math.max(...level.values())
      return [...level].filter(([, l]) => l === wanted).map(([v]) => v)
    }),
  },
  survivors: {},
}
