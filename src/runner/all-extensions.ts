import { adaptiveExtension } from './adaptive/extension.ts'
import { batchExtension } from './batches/extension.ts'
import { cacheExtension } from './cache/extension.ts'
import type { RunExtension } from './extensions.ts'
import { sequentialExtension } from './sequential/extension.ts'

/** The one place where the extensions of the runner are registered. */
export const runExtensions: readonly RunExtension[] = [
  batchExtension,
  sequentialExtension,
  adaptiveExtension,
  cacheExtension,
]
