import { describe } from 'vitest'
import { families } from '../../../src/tasks/index.ts'
import { taskLaws } from './laws.ts'

for (const family of families)
  for (const task of family.tasks)
    describe(task.name, () => {
      for (const preset of Object.keys(task.presets)) describe(preset, () => taskLaws(task, preset))
    })
