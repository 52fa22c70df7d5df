import { importsOf, readSources } from '../../test/unit/layers/imports.ts'

/**
 * Which test files object to a changed file, if any does: those under `rooms` that lead to it by imports of values, and
 * those of any other unit test that import it themselves.
 */
export function relatedTests(root: string): (file: string, rooms: readonly string[]) => readonly string[] {
  const importers = new Map<string, string[]>()
  for (const [from, text] of readSources(root, ['src', 'test/unit', 'test/contract/tasks', 'bench']))
    for (const { file, typeOnly } of importsOf(from, text)) {
      if (file === undefined || typeOnly) continue
      const known = importers.get(file)
      if (known === undefined) importers.set(file, [from])
      else known.push(from)
    }
  return (file, rooms) => {
    const reached = new Set([file])
    for (const one of reached) for (const importer of importers.get(one) ?? []) reached.add(importer)
    const direct = new Set(importers.get(file))
    const inRoom = (path: string) => rooms.some((room) => path === room || path.startsWith(`${room}/`))
    return [...reached].filter((path) => TEST.test(path) && (inRoom(path) || direct.has(path))).sort()
  }
}

const TEST = /^test\/unit\/.+\.test\.ts$/
