import type { RunSummary } from '../../api/index.ts'

/**
 * What tells runs of one name apart: the end of the folder's path, as much of it as differs, and when the run was made. Runs whose name no
 * other has are left out.
 */
export function disambiguate(
  runs: readonly Pick<RunSummary, 'id' | 'name' | 'path' | 'created'>[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const same of Map.groupBy(runs, ({ name }) => name).values()) {
    if (same.length < 2) continue
    for (const { id, path, created } of same) {
      const others = same.filter((one) => one.path !== path).map((one) => one.path)
      found.set(id, `${endOf(path, others)}, ${minuteOf(created)}`)
    }
  }
  return found
}

/** The shortest end of a path that no other has. */
function endOf(path: string, others: readonly string[]): string {
  const parts = path.split('/')
  for (let count = 1; count < parts.length; count++) {
    const end = parts.slice(-count).join('/')
    if (!others.some((other) => other.endsWith(`/${end}`))) return end
  }
  return path
}

/** Local time, as in `2026-11-02 14:05`. */
function minuteOf(created: string): string {
  const at = new Date(created)
  const two = (n: number): string => String(n).padStart(2, '0')
  return Number.isNaN(at.getTime())
    ? created
    : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`
}
