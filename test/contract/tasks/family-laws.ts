import { describe } from 'vitest'
import { families } from '../../../src/tasks/index.ts'
import { taskLaws } from './laws.ts'

/** All laws on all presets of a family. A file for each family: they run beside one another. */
export function familyLaws(name: string): void {
  const family = families.find((one) => one.name === name)
  if (family === undefined) throw new Error(`there is no family ${name}`)
  for (const task of family.tasks)
    describe(task.name, () => {
      for (const preset of Object.keys(task.presets)) describe(preset, () => taskLaws(task, preset))
    })
}
