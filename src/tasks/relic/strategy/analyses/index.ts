import type { Analysis } from '../../../../core/index.ts'
import { judges } from './judges.ts'
import { strategies } from './strategies.ts'
import { trace } from './trace.ts'

/** Analyses of judged responses: sections 6.1 and 6.2 of the paper. */
export const analyses: readonly Analysis[] = [strategies, trace, judges]
