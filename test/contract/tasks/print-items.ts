import { families } from '../../../src/tasks/index.ts'
import { hashesOf } from './hashes.ts'

/** Run as a process of its own: the item hashes of every preset, one line of JSON each. */
for (const task of families.flatMap((family) => family.tasks))
  for (const preset of Object.keys(task.presets)) {
    const source = task.source(task.preset(preset).config, { split: 'test', seed: '1' })
    process.stdout.write(`${JSON.stringify([`${task.name} ${preset}`, hashesOf(source)])}\n`)
  }
