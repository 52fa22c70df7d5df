import { describe, expect, it } from 'vitest'
import { targetRuleOf } from '../../../src/tasks/slr-bench/trains/target-rule.ts'
import { trains } from '../../../src/tasks/slr-bench/trains/task.ts'

const source = trains.source(trains.preset('easy').config, { split: 'train', seed: 'stated' })
const found = Array.from({ length: 8 }, (_, index) => source.item(index)).find(
  (item) => item.kind === 'item' && targetRuleOf(String(item.answer))?.second.length === 0,
)
if (found?.kind !== 'item') throw new Error('no item')
const rule = String(found.answer)
const holding = (said: string) => trains.checkSteps?.(found, `Rule: ${said}`).steps.map(({ holds }) => holds)

describe('a rule that a text states', () => {
  it.each([
    ['as the truth is written', rule],
    ['with other names of its variables', rule.replaceAll('T', 'Train').replaceAll('A', 'Car')],
  ])('holds %s', (_, said) => {
    expect(holding(said)).toEqual([true])
  })

  it.each([
    ['of any train', rule.replace('eastbound(T)', 'eastbound(X)')],
    ['of one train', rule.replace('eastbound(T)', 'eastbound(train1)')],
    ['of cars that may differ', rule.replaceAll('A', '_')],
    ['of a train that is a car', rule.replaceAll('A', 'T')],
  ])('does not hold %s', (_, said) => {
    expect(holding(said)).toEqual([false])
  })

  it('tells what is no value', () => {
    const { east } = found.given as unknown as { readonly east: readonly boolean[] }
    const { steps, unknown } =
      trains.checkSteps?.(found, `train${east.indexOf(false) + 1} is westbound: no car is red and mauve.`) ?? {}
    expect([steps?.map(({ holds }) => holds), unknown]).toEqual([[false], ['mauve']])
  })
})
