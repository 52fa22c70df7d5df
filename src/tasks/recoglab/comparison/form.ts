import { coin } from '../../../core/random.ts'
import type { RandomStreams } from '../../../core/task.ts'
import { inPromptOrder, type Shown, viewStream } from '../common/presentation.ts'
import type { Config } from './config.ts'

/** Up to this size a chain has so few texts, names apart, that splits would share them: 384 for five, 3,840 for six. */
const FEW = 6

/**
 * May the split use this order and wording of a chain's statements? Names are no content of a chain, so a short one is
 * divided by what is left of its text when names are numbered. Longer chains have tens of thousands of texts and more, which hardly
 * repeat.
 */
export const formInSplit = (config: Config, view: Shown['view'], draws: RandomStreams): boolean =>
  config.network !== 'chain' || config.entities > FEW || draws.inSplit(`form ${chainForm(view, config.entities)}`)

/**
 * The order of a chain's statements and the end that each begins with, as text. A text and its mirror image, with
 * "older" for "younger", are one form.
 */
export function chainForm(view: Shown['view'], entities: number): string {
  const shown = { view, order: 'random' } as const
  const order = inPromptOrder(
    shown,
    Array.from({ length: entities - 1 }, (_, i) => i),
  )
  const side = viewStream(shown, 'sides')
  const turned = order.map(() => coin(side))
  const one = order.map((at, i) => `${at}${turned[i] ? '>' : '<'}`).join(' ')
  const mirrored = order.map((at, i) => `${entities - 2 - at}${turned[i] ? '<' : '>'}`).join(' ')
  return one < mirrored ? one : mirrored
}
