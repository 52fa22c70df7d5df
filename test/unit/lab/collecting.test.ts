import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { collecting } from '../../../src/lab/collecting.ts'

const MB = 2 ** 20

test('what gathers while somebody waits is collected, again and again', async () => {
  let held = 100 * MB
  let collections = 0
  const garbage = {
    held: () => held,
    collect: () => {
      collections++
      held = 100 * MB
    },
  }
  const work = async () => {
    while (collections < 3) {
      held += 5 * MB
      await setTimeout(1)
    }
    return 'rows'
  }
  expect(await collecting(work(), garbage)).toBe('rows')
  expect(collections).toBe(3)
})

test('memory that stays is not collected for once more', async () => {
  let held = 100 * MB
  let collections = 0
  const work = async () => {
    await setTimeout(1)
    held = 200 * MB
    while (collections === 0) await setTimeout(1)
    await setTimeout(30)
  }
  await collecting(work(), { held: () => held, collect: () => void collections++ })
  expect(collections).toBe(1)
})

test('work that fails, fails', async () => {
  const failed = Promise.reject(new Error('no rows'))
  await expect(collecting(failed, { held: () => 0, collect: () => undefined })).rejects.toThrow('no rows')
})

test('where V8 collects by itself, work is only waited for', async () => {
  expect(await collecting(Promise.resolve(7), { held: () => 0, collect: null })).toBe(7)
})
