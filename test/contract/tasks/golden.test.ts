import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Item, type Json, sha256Hex, type Task } from '../../../src/core/index.ts'
import { families } from '../../../src/tasks/index.ts'
import { nightly } from '../../nightly.ts'
import { SLOW_PLANS } from './slow-plans.ts'

/**
 * Golden items (integrity 1.6): not necessarily right, but not allowed to change without a new task version. Write new
 * ones with TOUCHSTONE_WRITE_GOLDENS=1; a version that is frozen cannot be written again.
 */

const folder = join(import.meta.dirname, 'golden')
const frozenPath = join(folder, 'frozen.json')
const writing = process.env['TOUCHSTONE_WRITE_GOLDENS'] === '1'

/** Of the split that is reported on the first item and the last; whenever goldens are written, and nightly, all of them. */
const thorough = nightly || writing
const asked = thorough ? ['train', 'test'] : ['test']
/** What papers drew until it filled a stratum takes seconds to plan. */
const isAsked = (preset: string): boolean => thorough || !(SLOW_PLANS.includes(preset) && preset.endsWith('-published'))

const readJson = (path: string): Json => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Json) : {})
const fileOf = (task: Task): string => join(folder, `${task.name.replaceAll('/', '-')}-${task.version}.json`)

interface Goldens {
  readonly readable: Json
  readonly hashes: { readonly [preset: string]: { readonly [split: string]: readonly string[] } }
}

/**
 * Of every preset and split a digest of the first item's whole JSON and the hashes of some items; and one first item, the
 * shortest, in full, to be read.
 */
function goldensOf(task: Task): Goldens {
  const hashes: { [preset: string]: { [split: string]: readonly string[] } } = {}
  let readable = ''
  for (const preset of Object.keys(task.presets).filter(isAsked)) {
    const { config } = task.preset(preset)
    const splits: { [split: string]: readonly string[] } = {}
    for (const split of asked) {
      const source = task.source(config, { split, seed: 'golden' })
      const last = (source.layout.size ?? 1_000_004) - 1
      const first = JSON.stringify(firstItem(source))
      if (readable === '' || first.length < readable.length) readable = first
      const some = thorough ? [0, 1, last] : [last]
      splits[split] = [sha256Hex(first), ...some.map((index) => source.item(index).hash)]
    }
    hashes[preset] = splits
  }
  return { readable: JSON.parse(readable) as Json, hashes }
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
      const { readable, hashes } = readJson(fileOf(task)) as unknown as Goldens
      expect(Object.keys(found.hashes)).toEqual(Object.keys(hashes).filter(isAsked))
      for (const [preset, splits] of Object.entries(found.hashes))
        for (const [split, of] of Object.entries(splits)) {
          const [first, ...some] = hashes[preset]?.[split] ?? []
          expect(of, `${preset}, ${split}`).toEqual([first, ...(thorough ? some : some.slice(-1))])
        }
      if (thorough) expect(found.readable).toEqual(readable)
      const written = readFileSync(fileOf(task), 'utf8')
      expect(written.length, `${fileOf(task)} is too long to be read`).toBeLessThan(50_000)
      expect(sha256Hex(written), `${fileOf(task)} was edited; its version is frozen`).toBe(frozen[key])
    })
})
