import { expect, it } from 'vitest'
import { openLab } from '../../../src/lab/index.ts'
import { families } from '../../../src/tasks/index.ts'

it('a lab of some tasks has their families; of a task that nobody has, all, so that the nearest is named', async () => {
  const names = async (...tasks: readonly string[]) => (await openLab({ tasks })).families.map(({ name }) => name)
  const all = [...families.map(({ name }) => name), 'logs', 'judge']
  expect(await names()).toEqual([])
  expect(await names('relic/strategy')).toEqual(['relic'])
  expect(await names('slr-bench/trains', 'relic/recognize')).toEqual(['relic', 'slr-bench'])
  for (const unknown of ['relic/recognise', 'nothing', 'constructor/x', '']) expect(await names(unknown)).toEqual(all)
  const lab = await openLab({ tasks: ['relic/recognise'] })
  expect(() => lab.task('relic/recognise')).toThrow('relic/recognize')
  expect(() => lab.task('mine/evens')).toThrow('For your own task add --plugin FILE')
})
