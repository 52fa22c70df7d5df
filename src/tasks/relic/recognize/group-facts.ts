import type { Features, Problem } from '../../../core/index.ts'
import { compressed } from '../import/compression.ts'
import type { Given, Shared } from './prompt.ts'

/** How well the positives of a grammar compress, in the order in which a release has them: by length. */
export async function groupFacts(problems: readonly Problem<Shared, Given, boolean>[]): Promise<Features> {
  const positives = problems
    .filter(({ answer }) => answer)
    .map(({ given }) => given.string)
    .sort((a, b) => a.split(' ').length - b.split(' ').length)
  return { compression: (await compressed(positives))?.ratio ?? null }
}
