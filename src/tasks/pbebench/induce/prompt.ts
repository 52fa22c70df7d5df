import {
  bucketsOfSplit,
  type ChatRequest,
  type Message,
  partitionBucket,
  type Question,
  type RandomStreams,
} from '../../../core/index.ts'
import { FENCE_DOMAIN, partitionKey } from '../canonical.ts'
import { answerBlock, cascadePrompt, pairsText } from '../prompt.ts'
import { propose } from '../sampling/published.ts'
import { type Instance, liteSetting, type Setting } from '../sampling/settings.ts'
import type { Examples } from '../types.ts'

export const styles = ['standard', 'alphabet-told', 'no-example', 'few-shot-1', 'few-shot-3', 'few-shot-5'] as const

const SHOTS: { readonly [style: string]: number } = { 'few-shot-1': 1, 'few-shot-3': 3, 'few-shot-5': 5 }

export function request({ given }: Question<unknown, Examples>, style: string, draws: RandomStreams): ChatRequest {
  const shots = SHOTS[style]
  if (shots === undefined) {
    const content = cascadePrompt(given, { example: style !== 'no-example', alphabet: style === 'alphabet-told' })
    return { kind: 'chat', messages: [{ role: 'user', content }] }
  }
  const messages: Message[] = []
  for (let k = 0; k < shots; k++) {
    const shot = drawShot(given, draws, k)
    const question: Examples = { inputs: shot.inputs, outputs: shot.outputs, limits: given.limits }
    const content = k === 0 ? cascadePrompt(question, { example: false, alphabet: true }) : pairsText(question)
    messages.push({ role: 'user', content }, { role: 'assistant', content: answerBlock(shot.rules) })
  }
  messages.push({ role: 'user', content: pairsText(given) })
  return { kind: 'chat', messages }
}

/** Small instances of the train partition, so that they are never test items. */
function drawShot({ inputs, limits }: Examples, draws: RandomStreams, shot: number): Instance {
  const setting: Setting = {
    ...liteSetting,
    words: Math.min(inputs.length, 5),
    letters: [...limits.letters],
    side: [1, limits.side],
  }
  const regions = bucketsOfSplit('train')
  const stream = draws.stream('few-shot', shot)
  for (;;) {
    const drawn = propose(stream, setting, 2 + (shot % 2))
    if (drawn !== null && regions.includes(partitionBucket(FENCE_DOMAIN, partitionKey(drawn.inputs, drawn.outputs))))
      return drawn
  }
}
