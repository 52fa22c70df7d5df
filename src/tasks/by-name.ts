import type { Family } from '../core/index.ts'

/** The families of `index.ts`, each loaded on first use, by the part of a task's name before the slash. */
export const byName: { readonly [family: string]: () => Promise<Family> } = {
  relic: async () => (await import('./relic/index.ts')).relic,
  proficiency: async () => (await import('./proficiency/index.ts')).proficiency,
  recoglab: async () => (await import('./recoglab/index.ts')).recoglab,
  pbebench: async () => (await import('./pbebench/index.ts')).pbebench,
  clutrr: async () => (await import('./clutrr/index.ts')).clutrr,
  'slr-bench': async () => (await import('./slr-bench/index.ts')).slrBench,
}
