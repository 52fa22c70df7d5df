import { describe } from 'vitest'
import { pbebench } from '../../../src/tasks/pbebench/index.ts'
import { taskLaws } from './laws.ts'

  for (const task of pbebench.tasks)
    describe(task.name, () => {
      for (const preset of Object.keys(task.presets)) describe(preset, () => taskLaws(task, preset))
    })
