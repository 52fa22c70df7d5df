import type { Features, Problem } from '../../../../core/index.ts'
import { compressed } from '../../import/compression.ts'
import type { Given, Shared } from '../prompt.ts'

/** How well the positives of a grammar compress, in the order in which a release has them: by length. */
export async function groupFacts(problems: readonly Problem<Shared, Given, boolean>[]): Promise<Features> {
  const positives = problems
    .filter(({ answer }) => answer)
    .map(({ given: { string } }) => ({ string, length: string.split(' ').length }))
    .sort((a, b) => a.length - b.length)
  return { compression: (await compressed(positives.map(({ string }) => string)))?.ratio ?? null }
}
