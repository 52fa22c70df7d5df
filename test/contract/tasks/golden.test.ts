import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Item, type Json, sha256Hex, type Task } from '../../../src/core/index.ts'
import { families } from '../../../src/tasks/index.ts'

/**
 * Golden items (integrity 1.6): not necessarily right, but not allowed to change without a new task version. Write new
 * ones with TOUCHSTONE_WRITE_GOLDENS=1; a version that is frozen cannot be written again.
 */

const folder = join(import.meta.dirname, 'golden')
const frozenPath = join(folder, 'frozen.json')
const writing = process.env['TOUCHSTONE_WRITE_GOLDENS'] === '1'

const readJson = (path: string): Json => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Json) : {})
const fileOf = (task: Task): string => join(folder, `${task.name.replaceAll('/', '-')}-${task.version}.json`)

/** Full JSON of the first item, item hashes of the others. */
function goldensOf(task: Task): Json {
  const out: { [preset: string]: Json } = {}
  for (const preset of Object.keys(task.presets)) {
    const { config } = task.preset(preset)
    const splits: { [split: string]: Json } = {}
    for (const split of ['train', 'test']) {
      const source = task.source(config, { split, seed: 'golden' })
      const size = source.layout.size
      const first = firstItem(source)
      const rest = [0, 1, size === null ? 1_000_003 : size - 1].map((index) => source.item(index).hash)
      splits[split] = { first: first as unknown as Json, hashes: rest }
    }
    out[preset] = splits
  }
  return JSON.parse(JSON.stringify(out)) as Json
}

function firstItem(source: ReturnType<Task['source']>): Item {
  for (let index = 0; ; index++) {
    const item = source.item(index)
    if (item.kind === 'item') return item
  }
}

describe('golden items', () => {
  for (const task of families.flatMap((family) => family.tasks))
    it(`${task.name} version ${task.version}: raise the version or undo the change`, () => {
      const found = goldensOf(task)
      const key = `${task.name}@${task.version}`
      const frozen = readJson(frozenPath) as { [key: string]: string }
      const text = `${JSON.stringify(found, null, 1)}\n`
      if (writing && frozen[key] === undefined) {
        mkdirSync(folder, { recursive: true })
        writeFileSync(fileOf(task), text)
        writeFileSync(frozenPath, `${JSON.stringify({ ...frozen, [key]: sha256Hex(text) }, null, 1)}\n`)
        return
      }
      expect(found).toEqual(readJson(fileOf(task)))
      expect(sha256Hex(readFileSync(fileOf(task), 'utf8')), `${fileOf(task)} was edited; its version is frozen`).toBe(
        frozen[key],
      )
    })
})
