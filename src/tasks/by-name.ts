import type { Family } from '../core/index.ts'

/** Each family of `index.ts` by what the names of its tasks begin with, for whoever knows which tasks are needed: all take time and memory to load. */
const loaders: { readonly [family: string]: () => Promise<Family> } = {
  relic: async () => (await import('./relic/index.ts')).relic,
  proficiency: async () => (await import('./proficiency/index.ts')).proficiency,
  recoglab: async () => (await import('./recoglab/index.ts')).recoglab,
  pbebench: async () => (await import('./pbebench/index.ts')).pbebench,
  clutrr: async () => (await import('./clutrr/index.ts')).clutrr,
  'slr-bench': async () => (await import('./slr-bench/index.ts')).slrBench,
}

/** The families of some tasks, in the order of `index.ts`; null where one of them is of none. */
export async function familiesOf(tasks: readonly string[]): Promise<readonly Family[] | null> {
  const asked = new Set(tasks.map((task) => task.split('/', 1)[0] ?? ''))
  const known = Object.keys(loaders)
  if ([...asked].some((family) => !known.includes(family))) return null
  return Promise.all(Object.entries(loaders).flatMap(([family, load]) => (asked.has(family) ? [load()] : [])))
}
