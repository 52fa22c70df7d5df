import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Item, type Json, planHash, sha256Hex, type Task } from '../../../src/core/index.ts'
import { families } from '../../../src/tasks/index.ts'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'
import { nightly } from '../../nightly.ts'
import { SLOW_PLANS } from './slow-presets.ts'

/**
 * Golden items: not necessarily right, but not allowed to change without a new task version. Write new
 * ones with TOUCHSTONE_WRITE_GOLDENS=1; a version that is frozen cannot be written again.
 */

const folder = join(import.meta.dirname, 'golden')
const frozenPath = join(folder, 'frozen.json')
const writing = process.env['TOUCHSTONE_WRITE_GOLDENS'] === '1'

/** Of the split that is reported on the first item and the last; whenever goldens are written, and nightly, all of them. */
const thorough = nightly || writing
const asked = thorough ? ['train', 'test'] : ['test']
/** What papers drew until it filled a stratum takes seconds to plan, and so does a choice of 200 grammars: see SMALL below. */
const isAsked = (preset: string): boolean =>
  thorough || !(SLOW_PLANS.includes(preset) && /^relic|-published$/u.test(preset))

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

/** Of the presets that choose their grammars from a pool, with four chosen from 24: plan, first item, last item. */
const SMALL = {
  plan: 'c1f7e7fb5527b1f4cc213ec0a6af5c4a3c99a77813a6761a1449f33d94aa5675',
  items: {
    'relic-500': [
      '4676e658ad383200f19b189165c2b69abd0a3cc05577137f47d3b774ac3814ea',
      '7aef287a2db342c8ae1d443751485d21bc946657d8d9b87cf0070f1235a5b900',
    ],
    'relic-500-published': [
      'e58a510c2247527ab199dc2dc7dba5ac196b14e64e4228368ec8b926e7f6ee3b',
      'c6331eeeb260dd97d2db13d53c9d0f34e1cc3dd6feb2fda777a8d462fd126722',
    ],
    'relic-hard': [
      'cc7b7c593cf6a02bc1f22a2b7a83535745e3c62e4e6ab5c75dfb1e4c9927ee61',
      '2412493bbc448c0ee92e44ca89529f564a455d8840dcfccd840ee54268d4d61f',
    ],
    'relic-twins': [
      'f8ee067db851bafe94b8916ebf28d5d6a5c1834a7ea503a9dd2b6326b3003338',
      '75db1af7e3f6e0c483753cff3102133bf8be554ca2736450d624c59cb8c2d740',
    ],
  },
}

it('grammars chosen from a small pool, and strings of them: raise the version or undo the change', () => {
  expect(recognize.version, 'with another version, write its hashes here').toBe(5)
  for (const [preset, hashes] of Object.entries(SMALL.items)) {
    const config = recognize.configure({ ...recognize.preset(preset).config, grammars: 4, pool: 24 })
    const source = recognize.source(config, { split: 'test', seed: 'golden' })
    expect(planHash(source.plan), preset).toBe(SMALL.plan)
    const last = source.item((source.layout.size ?? 0) - 1)
    expect([sha256Hex(JSON.stringify(firstItem(source))), last.hash], preset).toEqual(hashes)
  }
})
