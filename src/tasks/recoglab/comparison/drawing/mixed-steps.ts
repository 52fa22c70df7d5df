import { coin } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'

/**
 * Steps up (true) and down by coin, so that the way they are part of leads both up and down.
 *
 * @param outside what the rest of the way does: all up (true), all down (false), both (null), or there is no rest ('any')
 */
export function mixedSteps(stream: Stream, length: number, outside: boolean | null | 'any'): readonly boolean[] {
  for (;;) {
    const steps = Array.from({ length }, () => coin(stream))
    const kinds = new Set(outside === 'any' ? steps : outside === null ? [true, false] : [outside, ...steps])
    if (kinds.size === 2) return steps
  }
}
