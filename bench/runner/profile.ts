import type { Profiler } from 'node:inspector'

export interface Profiled {
  readonly where: string
  /** Of all time the processor was busy. */
  readonly share: number
}

/** Where the time of a CPU profile went, by package or folder, the largest first. Idle time is left out. */
export function summarize(profile: Profiler.Profile): readonly Profiled[] {
  const micros = new Map<number, number>()
  const { samples = [], timeDeltas = [] } = profile
  for (const [i, id] of samples.entries()) micros.set(id, (micros.get(id) ?? 0) + (timeDeltas[i] ?? 0))
  const sums = new Map<string, number>()
  let all = 0
  for (const { id, callFrame } of profile.nodes) {
    const time = micros.get(id) ?? 0
    const where = placeOf(callFrame.functionName, callFrame.url)
    if (where === null) continue
    sums.set(where, (sums.get(where) ?? 0) + time)
    all += time
  }
  return [...sums].sort((a, b) => b[1] - a[1]).map(([where, time]) => ({ where, share: time / all }))
}

function placeOf(name: string, url: string): string | null {
  if (name === '(idle)' || name === '(root)') return null
  if (name === '(garbage collector)') return 'garbage collection'
  if (name === '(program)') return 'native code outside JavaScript'
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(url)
  if (packaged !== null) return packaged[1] ?? url
  const own = /\/(src\/[^/]+|test\/mock)\//u.exec(url)
  if (own !== null) return own[1] ?? url
  if (url.startsWith('node:internal/deps/undici')) return 'node: undici'
  if (url.startsWith('node:')) return 'node: http, net, streams, timers'
  return 'built-in functions (SQLite, JSON, ...)'
}
