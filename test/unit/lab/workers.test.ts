import { expect, it } from 'vitest'
import { chunkPool } from '../../../src/lab/workers.ts'
import { families } from '../../../src/tasks/index.ts'

it('worker threads make the same items as this thread', async () => {
  const task = families.flatMap(({ tasks }) => tasks).find(({ name }) => name === 'relic/recognize')
  const source = task?.source(task.preset('relic-demo').config, { split: 'test', seed: '1' })
  if (source === undefined) throw new Error('no task')
  const pool = await chunkPool(1, [])
  try {
    const units = [[40], [41], [900], [3]]
    expect(await pool.make(source, { wanted: 9, units })).toEqual(units.flat().map((index) => source.item(index)))
  } finally {
    await pool.close()
  }
})
