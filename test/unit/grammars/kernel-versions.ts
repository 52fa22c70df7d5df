import type { Cnf } from '../../../src/libraries/grammars/index.ts'
import { recognitionKernel } from '../../../src/libraries/grammars/recognise/recognition-kernel.ts'

/**
 * All versions of the recogniser without its local test, by name: shared by all grammars or compiled for one, with masks
 * of one word or of several also for short strings.
 */
export function kernelVersions(grammar: Cnf) {
  const version = (oneWordUpTo: number, crowded: number) => {
    const kernel = recognitionKernel(grammar, oneWordUpTo, crowded)
    return (tokens: ArrayLike<number>) => {
      const string = kernel.prepare(tokens.length)
      for (let at = 0; at < tokens.length; at++)
        string[at] = kernel.firstRecord + (tokens[at] as number) * kernel.recordBytes
      return kernel.accepts(tokens.length)
    }
  }
  return {
    'shared, one word': version(63, Infinity),
    'shared, many words': version(0, Infinity),
    'own, one word': version(63, -1),
    'own, many words': version(0, -1),
    'shared, then own': version(63, 20),
  }
}
