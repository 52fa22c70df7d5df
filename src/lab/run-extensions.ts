import { adaptiveExtension } from '../extras/adaptive/extension.ts'
import { batchExtension } from '../extras/batches/extension.ts'
import { cacheExtension } from '../extras/cache/extension.ts'
import { sequentialExtension } from '../extras/sequential/extension.ts'
import type { RunExtension } from '../runner/extensions.ts'

/** The one place where the extensions of the runner are registered. */
export const runExtensions: readonly RunExtension[] = [
  batchExtension,
  sequentialExtension,
  adaptiveExtension,
  cacheExtension,
]
