import { importsOf, type Sources } from './imports.ts'
import { layerOf } from './rules.ts'

/** All folders under src/tasks are one room. */
const families = 'tasks/*'

/** Which room imports from which, as the sources have it; the families are one room. */
export function arrowsOf(sources: Sources): ReadonlyMap<string, ReadonlySet<string>> {
  const room = (path: string): string => layerOf(path).replace(/^tasks\/.+/, families)
  const arrows = new Map<string, Set<string>>()
  for (const [from, text] of sources) {
    const own = arrows.get(room(from)) ?? new Set()
    arrows.set(room(from), own)
    for (const { file } of importsOf(from, text)) {
      if (file !== undefined && sources.has(file) && room(file) !== room(from)) own.add(room(file))
    }
  }
  return arrows
}

/** The arrows that no chain of other arrows stands for. */
export function direct(arrows: ReadonlyMap<string, ReadonlySet<string>>): [string, string][] {
  const reach = (from: string, found = new Set<string>()): ReadonlySet<string> => {
    for (const to of arrows.get(from) ?? []) {
      if (!found.has(to)) {
        found.add(to)
        reach(to, found)
      }
    }
    return found
  }
  return [...arrows]
    .flatMap(([from, all]) =>
      [...all]
        .filter((to) => ![...all].some((other) => other !== to && reach(other).has(to)))
        .map((to): [string, string] => [from, to]),
    )
    .sort(([a, b], [c, d]) => (a === c ? order(b, d) : order(a, c)))
}

const order = (a: string, b: string): number => (a < b ? -1 : 1)

/** The picture of docs/architecture.md: Mermaid, arrows from a room to those it imports from. */
export function picture(sources: Sources): string {
  const name = (room: string) => room.replace('*', 'X').replaceAll('/', '_')
  const arrows = direct(arrowsOf(sources))
  const rooms = [...new Set(arrows.flat())].sort(order)
  return [
    '```mermaid',
    'flowchart BT',
    ...rooms.map((room) => `  ${name(room)}["${room.replace('*', 'X')}"]`),
    ...arrows.map(([from, to]) => `  ${name(from)} --> ${name(to)}`),
    '```',
  ].join('\n')
}
