import type { z } from 'zod'
import type { RandomStreams } from '../../../core/task.ts'
import { drawView, likeOf, type Presentation, presentationOf } from './presentation.ts'

/**
 * What a group shares: how its context is shown, the task's own settings of that, and the content knobs that solved
 * examples need, where they differ from the default.
 */
export function sharing<
  C extends Presentation & { readonly [key in K]: string | number | boolean },
  K extends string,
  O,
>(config: z.ZodType<C>, contentKnobs: readonly K[], own: (config: C) => O) {
  const defaults = config.parse({})
  return (c: C, _plan: unknown, _group: number, draws: RandomStreams) => ({
    view: drawView(draws),
    ...presentationOf(c),
    ...own(c),
    like: likeOf(c, defaults, contentKnobs),
  })
}
