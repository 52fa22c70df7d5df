import { describe } from 'vitest'
import { families } from '../../../src/tasks/index.ts'
import { nightly } from '../../nightly.ts'
import { taskLaws } from './laws.ts'
import { SLOW_ITEMS, SLOW_PLANS } from './slow-presets.ts'

/** The most presets of a task of which a short run asks all; of more it asks every third. */
const MAX_ASKED_WHOLE = 12

/** All laws on all presets of a family. A file for each family: they run beside one another. */
export function familyLaws(name: string): void {
  const family = families.find((one) => one.name === name)
  if (family === undefined) throw new Error(`there is no family ${name}`)
  for (const task of family.tasks)
    describe(task.name, () => {
      // Golden items hold the others to what another process made.
      const quick = Object.keys(task.presets).filter(
        (preset) => nightly || ![...SLOW_PLANS, ...SLOW_ITEMS].includes(preset),
      )
      const asked = quick.filter((_, at) => nightly || quick.length <= MAX_ASKED_WHOLE || at % 3 === 0)
      for (const preset of asked) describe(preset, () => taskLaws(task, preset))
    })
}
