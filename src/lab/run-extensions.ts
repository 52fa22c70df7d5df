import { adaptiveExtension } from '../extras/adaptive/index.ts'
import { batchExtension } from '../extras/batches/index.ts'
import { cacheExtension } from '../extras/cache/index.ts'
import { sequentialExtension } from '../extras/sequential/index.ts'
import type { RunExtension } from '../runner/extensions.ts'

/** The one place where the extensions of the runner are registered. */
export const runExtensions: readonly RunExtension[] = [
  batchExtension,
  sequentialExtension,
  adaptiveExtension,
  cacheExtension,
]
