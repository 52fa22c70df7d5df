import type { Family } from '../core/index.ts'
import { clutrr } from './clutrr/index.ts'
import { pbebench } from './pbebench/index.ts'
import { proficiency } from './proficiency/index.ts'
import { recoglab } from './recoglab/index.ts'
import { relic } from './relic/index.ts'
import { slrBench } from './slr-bench/index.ts'

/** Every family there is. Adding one is its folder and a line here. */
export const families: readonly Family[] = [relic, proficiency, recoglab, pbebench, clutrr, slrBench]
