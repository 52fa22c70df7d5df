import type { Family } from '../core/index.ts'
import { clutrr } from './clutrr/index.ts'
import { pbebench } from './pbebench/index.ts'
import { proficiency } from './proficiency/index.ts'
import { recoglab } from './recoglab/index.ts'
import { relic } from './relic/index.ts'
import { slrBench } from './slr-bench/index.ts'

/**
 * All families. To add one, add its folder and a line here.
 *
 * @example
 * import { families } from '@touchstone-eval/touchstone'
 *
 * for (const { tasks } of families) for (const { name, summary } of tasks) console.log(name, summary)
 */
export const families: readonly Family[] = [relic, proficiency, recoglab, pbebench, clutrr, slrBench]
