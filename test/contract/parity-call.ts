import type { ModelCall } from '../../src/models/index.ts'
import { parity } from '../mock/parity.ts'

const config = parity.preset('small').config
const source = parity.source(config, { split: 'test', seed: 0 })

/** A call about one item of the parity task. */
export function parityCall(index = 0, more: Partial<ModelCall> = {}): ModelCall {
  const item = source.item(index)
  if (item.kind === 'hole') throw new Error('the small preset has no holes')
  return {
    task: parity,
    item: item.id,
    config,
    style: 'plain',
    sample: 0,
    settings: {},
    request: source.request(item, 'plain'),
    question: { shared: item.shared, given: item.given },
    draws: (name) => source.baselineDraws(index, name),
    problem: () => item,
    attemptId: `${item.id}/${index}/1`,
    ...more,
  }
}
