import { families } from '../../../src/tasks/index.ts'
import { hashesOf } from './hashes.ts'

/** Run as a process of its own with the names of a task and a preset: hashes of its items, as JSON. */
const [name, preset] = process.argv.slice(2)
const task = families.flatMap(({ tasks }) => tasks).find((one) => one.name === name)
if (task === undefined || preset === undefined) throw new Error(`expected a task and a preset, not ${name} ${preset}`)
const source = task.source(task.preset(preset).config, { split: 'test', seed: '1' })
process.stdout.write(JSON.stringify(hashesOf(source)))
