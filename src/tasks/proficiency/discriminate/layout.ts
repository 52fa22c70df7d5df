import type { Layout } from '../../../core/index.ts'
import type { Config } from './config.ts'
import type { Plan } from './types.ts'

/** Test strings in a row in one context before the next context's turn. */
const block = 4

/**
 * A finite grid: languages x repetitions (the groups), k, test number, distance (the strata). Blocks of four test
 * numbers one after another; in a block k goes slowest, so that the items of a group come context by context, each
 * context the beginning of the next, and a backend reads it once.
 */
export function layout(config: Config, plan: Plan): Layout {
  const groups = plan.languages.length * config.repetitions
  const ks = config.examples.length
  const strata = config.distances.map((distance) => ({ distance }))
  const perTest = groups * strata.length
  // A twin is drawn from the streams of the strings of the language, so that it finds the one it belongs to.
  const members = config.distances.indexOf(0)
  const units = config.distances.map((distance, i) => (distance === 'twin' && members >= 0 ? members : i))
  const size = config.tests * ks * perTest
  return {
    size,
    strata,
    layout: 'interleaved',
    at(index) {
      const blockSize = block * ks * perTest
      const first = Math.floor(index / blockSize) * block
      const width = Math.min(block, config.tests - first)
      const inBlock = index % blockSize
      const k = Math.floor(inBlock / (width * perTest))
      const inContext = inBlock % (width * perTest)
      const test = first + Math.floor(inContext / perTest)
      const group = Math.floor((inContext % perTest) / strata.length)
      const stratum = inContext % strata.length
      // The same test number has the same string in every context: content is drawn by (group, stratum, test).
      return { stratum, unit: units[stratum] as number, group, ordinal: test * ks + k }
    },
  }
}

/** Test number and index into `config.examples` of a place. */
export const placeOf = (config: Config, nth: number): { readonly test: number; readonly k: number } => ({
  test: Math.floor(nth / config.examples.length),
  k: nth % config.examples.length,
})
