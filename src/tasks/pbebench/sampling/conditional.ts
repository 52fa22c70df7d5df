import type { Stream } from '../../../core/index.ts'
import { lowerBound } from '../lower-bound.ts'
import { drawPair } from './pair-shapes.ts'
import { drawSequential } from './sequential.ts'
import type { Instance, Setting } from './setting.ts'

/** Attempts without planting before a short cascade of a rare category is planted. */
const PLAIN = 24
/** Above this length the plain attempts alone are fast enough for every category. */
const PLANTED_UP_TO = 6

/**
 * An instance of exactly this length and category, or null after `attempts` (counted in `tally`). Longer cascades are drawn sequentially;
 * of up to {@link PLANTED_UP_TO} rules the first attempts are too, and the rest is planted (two rules: from patterns
 * of equal letters), so common categories keep the plain distribution.
 */
export function drawConditional(
  stream: Stream,
  setting: Setting,
  length: number,
  category: number,
  attempts: number,
  tally: { attempts: number } = { attempts: 0 },
): Instance | null {
  for (let attempt = 0; attempt < attempts; attempt++) {
    tally.attempts++
    const plain = length > PLANTED_UP_TO || attempt < PLAIN
    const drawn =
      plain || length > 2
        ? drawSequential(stream, setting, length, category, !plain)
        : drawPair(stream, setting, category)
    if (drawn !== null && (!setting.minimal || isMinimal(drawn, setting))) return drawn
  }
  return null
}

const isMinimal = (instance: Instance, { side }: Setting): boolean =>
  lowerBound(instance, side[1]) === instance.rules.length
