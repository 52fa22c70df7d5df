import { expect, it } from 'vitest'
import { memoryFrame } from '../../../src/libraries/statistics/index.ts'
import { factors } from '../../../src/report/analyses/features.ts'
import { induce } from '../../../src/tasks/pbebench/induce/task.ts'

it('a report splits by category codes as text, although they look like numbers', () => {
  const frame = memoryFrame({ feature_category: ['0010', '1000', '0010'], feature_length: [2, 3, 4] })
  const category = factors(induce, frame).find(({ name }) => name === 'category')
  expect(category?.numeric).toBe(false)
  expect(category?.levels.map(({ label }) => label)).toEqual(['0010', '1000'])
})
