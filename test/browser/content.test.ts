import { afterAll, beforeAll, expect, test } from 'vitest'
import { SLOW_ITEMS, SLOW_PLANS } from '../contract/tasks/slow-presets.ts'
import { nightly } from '../nightly.ts'
import { streamVectors } from '../unit/core/stream-vectors.ts'
import { openPage } from './chromium.ts'
import * as node from './content.ts'

let opened: Awaited<ReturnType<typeof openPage>>
beforeAll(async () => {
  opened = await openPage()
})
afterAll(() => opened.close())

/** Calls a function of `content.ts` in Chromium. */
function inChromium(name: 'hashes' | 'streams', ...args: string[]): Promise<unknown> {
  return opened.page.evaluate(
    ([fn, given]) => {
      const { touchstone } = globalThis as unknown as { touchstone: { [fn: string]: (...args: string[]) => unknown } }
      return touchstone[fn as string]?.(...(given as string[]))
    },
    [name, args] as const,
  )
}

test('the stream vectors hold in Chromium', async () => {
  const expected = streamVectors.map((vector) => vector.slice(6))
  expect(await inChromium('streams')).toEqual(expected)
  expect(opened.complaints).toEqual([])
})

/** All in the nightly run, else of a task's that are soon planned every eighth and the last: presets of a task share their code. */
const quick = node.presets().filter(({ preset }) => nightly || ![...SLOW_PLANS, ...SLOW_ITEMS].includes(preset))
const asked = quick.filter(({ task, preset }) => {
  const own = quick.filter((one) => one.task === task)
  const at = own.findIndex((one) => one.preset === preset)
  return nightly || at % 8 === 1 || at === own.length - 1
})

test.each(asked)('$task --preset $preset has the same plan, items and prompts', async ({ task, preset }) => {
  expect(await inChromium('hashes', task, preset)).toEqual(node.hashes(task, preset))
  expect(opened.complaints).toEqual([])
})
