import { setFlagsFromString } from 'node:v8'

/**
 * Collects garbage earlier than usual, of which a long run makes much: the process stays some 60 MB smaller for a few
 * per cent more CPU. For the whole process, so for its main program to call.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}
