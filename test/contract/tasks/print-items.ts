import { families } from '../../../src/tasks/index.ts'
import { hashesOf } from './hashes.ts'

/** Run as a process of its own with the name of a task: the item hashes of its presets, as JSON. */
const task = families.flatMap(({ tasks }) => tasks).find(({ name }) => name === process.argv[2])
if (task === undefined) throw new Error(`expected the name of a task, not ${process.argv[2]}`)
const hashes = Object.keys(task.presets).map((preset) => {
  const source = task.source(task.preset(preset).config, { split: 'test', seed: '1' })
  return [preset, hashesOf(source)]
})
process.stdout.write(JSON.stringify(hashes))
