import type { Family } from '../core/index.ts'

/** The families of `index.ts`, each loaded when it is asked for: by the word before the slash in the names of its tasks. */
export const byName: { readonly [family: string]: () => Promise<Family> } = {
  relic: async () => (await import('./relic/index.ts')).relic,
  proficiency: async () => (await import('./proficiency/index.ts')).proficiency,
  recoglab: async () => (await import('./recoglab/index.ts')).recoglab,
  pbebench: async () => (await import('./pbebench/index.ts')).pbebench,
  clutrr: async () => (await import('./clutrr/index.ts')).clutrr,
  'slr-bench': async () => (await import('./slr-bench/index.ts')).slrBench,
}
