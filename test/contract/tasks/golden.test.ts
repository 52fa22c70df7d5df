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
  plan: '089038eb772c39284493e0370654c1658bf0250404e561a36bd30dee2cef02fa',
  items: {
    'relic-500': [
      'b28ae7614959478d894871208e87fabb0f7024b1d3b468709c0cfca8d331cf0f',
      '6aa3a22de1854a01646299e95abad4051ed47777ae2bf3a0351d5f5585a9e2f8',
    ],
    'relic-500-published': [
      '1727c104341714af2c2c827516e7453e95b50a158422443d9e106a6222fb0cb8',
      'dc85009ac2ee1d35ed383686d2ea5c36616d43db9a1d7b183bb7ed82c430a135',
    ],
    'relic-hard': [
      '1821b50a38e0768bf9a0dd77517c30cb92ad0f6ec6ba78620f953bc4179ace9e',
      '5fe23a7dbcde4c06a6db1c84d2638c68c31e7ed0b8d9c3aa1cb22b250825fe2e',
    ],
    'relic-twins': [
      '34a4077a2bc795096a64ecfbe8f47ea36e490f0de9b54859167d31f1f4d947ae',
      '076b572b0cbde22cf7f77083500ee11945f760c26fc59b4826e3d515e4ca10d2',
    ],
  },
}

it('grammars chosen from a small pool, and strings of them: raise the version or undo the change', () => {
  expect(recognize.version, 'with another version, write its hashes here').toBe(4)
  for (const [preset, hashes] of Object.entries(SMALL.items)) {
    const config = recognize.configure({ ...recognize.preset(preset).config, grammars: 4, pool: 24 })
    const source = recognize.source(config, { split: 'test', seed: 'golden' })
    expect(planHash(source.plan), preset).toBe(SMALL.plan)
    const last = source.item((source.layout.size ?? 0) - 1)
    expect([sha256Hex(JSON.stringify(firstItem(source))), last.hash], preset).toEqual(hashes)
  }
})
