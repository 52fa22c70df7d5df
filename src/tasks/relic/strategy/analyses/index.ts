import type { Analysis } from '../../../../core/index.ts'
import { judges } from './judges.ts'
import { strategies } from './strategies.ts'
import { trace } from './trace.ts'

/** What judged responses tell: section 6.2 of the paper, and what its section 6.1 only reads out of single chains. */
export const analyses: readonly Analysis[] = [strategies, trace, judges]
