import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canonicalConfig, sha256Hex } from '../../../src/core/index.ts'
import {
  type Mismatch,
  openDataset,
  type Verification,
  type VerifyOptions,
  verify,
} from '../../../src/datasets/index.ts'
import necklace from '../../toys/necklace.ts'
import { corrupted, editRow, make, scratch } from './folders.ts'

const { fresh } = await scratch()
const good = fresh()
await make(good, { prompts: { style: 'plain', solutions: false } })
const parquet = fresh()
await make(parquet, { format: 'parquet' })

const check = async (folder: string, options: VerifyOptions = {}): Promise<Verification> =>
  verify(await openDataset(folder), necklace, options)
const damaged = async (file: string, change: (text: string) => string | null, options?: VerifyOptions) =>
  check(await corrupted(good, fresh(), file, change), options)
const kinds = ({ problems }: Verification): string[] => [...new Set(problems.map((problem) => problem.check))].sort()
const at = ({ problems }: Verification, kind: Mismatch['check']): (number | null)[] =>
  problems.filter((problem) => problem.check === kind).map((problem) => problem.index)

const items = 'items-00000.jsonl'

/** An item with a fraction among its features: that one is not in its hash. */
const fractional = (await readFile(join(good, items), 'utf8'))
  .split('\n')
  .findIndex((line) => /"feature_share":0\.\d/u.test(line))

/** Changes the manifest of a copy so that its file hashes fit again: the forger's work. */
async function reseal(folder: string): Promise<string> {
  const path = join(folder, 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  for (const shard of manifest.shards) {
    const text = await readFile(join(folder, shard.file), 'utf8')
    shard.sha256 = sha256Hex(text)
    shard.bytes = Buffer.byteLength(text)
  }
  await writeFile(path, JSON.stringify(manifest))
  return folder
}

describe('verify', () => {
  it.each([
    ['JSON lines', good],
    ['Parquet', parquet],
  ])('finds nothing in an intact set of %s, and says what it did not check', async (_name, folder) => {
    expect(await check(folder)).toMatchObject({ items: 96, regenerated: 96, mismatches: 0, problems: [] })
    const full = await check(folder, { oracles: true })
    expect([full.mismatches, full.notChecked]).toEqual([
      0,
      [expect.stringMatching(/^created, .*stated by the publisher/)],
    ])
    expect((await check(folder)).notChecked).toEqual([
      expect.stringMatching(/stated by the publisher/),
      expect.stringMatching(/--oracles/),
    ])
  })

  it('finds one changed answer, with its index and path', async () => {
    const found = await damaged(
      items,
      editRow(5, (row) => (row['answer'] = row['answer'] !== true)),
      { oracles: true },
    )
    expect(kinds(found)).toEqual(['file', 'hash', 'item', 'oracle', 'witness'])
    for (const kind of ['hash', 'item', 'oracle', 'witness'] as const) expect(at(found, kind)).toEqual([5])
    expect(found.problems.find((problem) => problem.check === 'item')).toMatchObject({
      path: 'answer',
      message: expect.stringMatching(/^answer: expected (true|false), got (true|false)$/),
    })
  })

  it('finds a change even where the row was hashed anew and the files sealed again', async () => {
    const { itemHash } = await import('../../../src/core/index.ts')
    const { manifest } = await openDataset(good)
    const groups = (await readFile(join(good, 'groups-00000.jsonl'), 'utf8')).split('\n')
    const groupHash = JSON.parse(groups[0] as string).hash
    const folder = await corrupted(
      good,
      fresh(),
      items,
      editRow(5, (row) => {
        row['answer'] = row['answer'] !== true
        row['hash'] = itemHash(manifest, {
          index: 5,
          groupHash,
          truth: { given: row['given'] as never, answer: row['answer'] as never },
          features: {
            length: row['feature_length'],
            even: row['feature_even'],
            colour: row['feature_colour'],
            label: row['feature_label'],
          } as never,
        })
      }),
    )
    const quick = await check(await reseal(folder), { quick: true })
    expect(kinds(quick)).toEqual(['root'])
    const found = await check(folder)
    expect(kinds(found)).toEqual(['item', 'root'])
    expect(at(found, 'item')).toEqual([5])
  })

  it('finds rows that are nothing this version could have written, and goes on', async () => {
    const strange = await damaged(
      items,
      editRow(5, (row) => (row['hole'] = 5)),
    )
    expect(at(strange, 'hash')).toEqual([5])
    const group = await damaged('groups-00000.jsonl', (text) => text.replace(/"shared":\{/u, '"shared":{"more":1.5,'))
    expect(kinds(group)).toContain('groups')
    expect(group.items).toBe(96)
  })

  it('finds a dropped row', async () => {
    const found = await damaged(items, (text) => text.split('\n').toSpliced(7, 1).join('\n'))
    expect(at(found, 'order')).toEqual([7])
    expect(kinds(found)).toEqual(['file', 'order', 'root', 'strata'])
  })

  it('finds two swapped rows', async () => {
    const found = await damaged(items, (text) => {
      const lines = text.split('\n')
      return lines
        .with(3, lines[9] as string)
        .with(9, lines[3] as string)
        .join('\n')
    })
    expect(at(found, 'order')).toContain(3)
    expect(kinds(found)).toEqual(['file', 'order', 'root'])
  })

  it('finds a row that is there twice, and one that does not belong', async () => {
    const twice = await damaged(items, (text) => `${text}${text.split('\n')[4]}\n`)
    expect(at(twice, 'order')).toEqual([4])
    const beyond = await damaged(
      items,
      (text) => `${text}${(text.split('\n')[4] as string).replace('"index":4', '"index":400')}\n`,
    )
    expect(at(beyond, 'order')).toEqual([400])
    const strange = await damaged(items, (text) => `${text}{"id":"x"}\n`)
    expect(strange.problems).toContainEqual(expect.objectContaining({ message: expect.stringMatching(/no index/) }))
  })

  it.each([
    ['a feature inside the hash', 'feature_length', 99],
    ['a feature outside the hash', 'feature_share', 0.125],
    ['the id', 'id', 'toy/necklace@1/test/000000000000/11'],
    ['the draw', 'draw', '000000000000'],
    ['the stratum', 'stratum', 0],
  ])('finds %s changed', async (_what, column, value) => {
    const found = await damaged(
      items,
      editRow(11, (row) => (row[column] = value)),
    )
    expect(at(found, 'item')).toEqual([11])
    expect(found.problems.find((problem) => problem.check === 'item')?.path).toBe(column)
  })

  it('finds a witness that proves nothing', async () => {
    const found = await damaged(
      items,
      editRow(11, (row) => (row['witness'] = '3000')),
      { oracles: true },
    )
    expect(at(found, 'witness')).toEqual([11])
    const unreadable = await damaged(
      items,
      editRow(11, (row) => (row['witness'] = '{')),
      { oracles: true },
    )
    expect(at(unreadable, 'witness')).toEqual([11])
  })

  it('finds a hole filled, an item made a hole, a hole with another reason', async () => {
    const filled = await damaged(
      items,
      editRow(50, (row) => (row['hole'] = null)),
    )
    expect([at(filled, 'item'), kinds(filled).includes('strata')]).toEqual([[50], true])
    const emptied = await damaged(
      items,
      editRow(5, (row) => (row['hole'] = 'proved: none')),
    )
    expect([at(emptied, 'item'), kinds(emptied).includes('strata')]).toEqual([[5], true])
    const other = await damaged(
      items,
      editRow(50, (row) => (row['hole'] = 'gave up: no time')),
    )
    expect(at(other, 'item')).toEqual([50])
  })

  it('finds a truncated file and a missing one, and goes on with the others', async () => {
    const cut = await damaged(items, (text) => text.slice(0, text.length / 2))
    expect(kinds(cut)).toEqual(expect.arrayContaining(['file', 'order', 'root', 'strata']))
    expect(at(cut, 'order').length).toBeGreaterThan(40)
    const gone = await damaged(items, () => null)
    expect(gone.problems).toContainEqual(expect.objectContaining({ message: 'items-00000.jsonl is missing' }))
    expect(at(gone, 'order')).toHaveLength(96)
    const groups = await damaged('groups-00000.jsonl', () => null)
    expect(kinds(groups)).toEqual(expect.arrayContaining(['file', 'groups', 'hash']))
    const card = await damaged('README.md', () => null)
    expect(card.problems).toMatchObject([{ check: 'file', message: expect.stringMatching(/README/) }])
  })

  it('finds a damaged Parquet file', async () => {
    for (const change of [(text: string) => text.slice(0, -100), () => 'PAR1', () => null]) {
      const copy = await corrupted(parquet, fresh(), 'items-00000.parquet', change)
      expect(kinds(await check(copy))).toEqual(expect.arrayContaining(['file', 'order', 'root']))
    }
  })

  it('finds a changed group, and one outside the fence', async () => {
    const beads = (text: string) => text.replace(/"beads":"(\w+)"/u, '"beads":"vwxyz"')
    const found = await damaged('groups-00000.jsonl', beads)
    expect(kinds(found)).toEqual(expect.arrayContaining(['file', 'groups', 'hash']))
    const outside = await damaged('groups-00000.jsonl', (text) => {
      // Some set of beads of these lies outside the two regions of eight.
      const lines = text.split('\n').filter((line) => line !== '')
      return lines
        .map((line, i) => line.replace(/"beads":"\w+"/u, `"beads":"${['abcde', 'bcdef', 'cdefg'][i]}"`))
        .join('\n')
    })
    expect(kinds(outside)).toContain('partition')
  })

  it('believes no hash because the row is as made anew: more may be hashed, and other keys', async () => {
    const more = await damaged(
      items,
      editRow(3, (row) => (row['feature_more'] = 1)),
    )
    expect(at(more, 'hash')).toEqual([3])
    const other = await corrupted(good, fresh(), 'manifest.json', (text) =>
      text.replace(/"configHash": "[0-9a-f]{64}"/u, `"configHash": "${'0'.repeat(64)}"`),
    )
    expect(at(await check(other), 'hash')).toHaveLength(96)
  })

  it('finds a changed prompt, with its index', async () => {
    const found = await damaged(
      'prompts-00000.jsonl',
      editRow(5, (row) => (row['request'] = { kind: 'chat', messages: [] })),
    )
    expect(at(found, 'prompts')).toEqual([null, 5])
  })

  it('does not believe the manifest: its plan, config, counts and hashes are made anew', async () => {
    const edit = (change: (manifest: { [key: string]: unknown }) => void) =>
      damaged('manifest.json', (text) => {
        const manifest = JSON.parse(text)
        change(manifest)
        return JSON.stringify(manifest)
      })
    const plan = { thread: 'gold' }
    const forged = await edit((manifest) => {
      manifest['plan'] = plan
      manifest['planHash'] = sha256Hex(`touchstone/plan/1\n${canonicalConfig(plan)}`)
    })
    expect(forged.problems).toMatchObject([{ check: 'root', message: expect.stringMatching(/plan/) }])
    const config = await edit((manifest) => {
      manifest['config'] = { ...(manifest['config'] as object), beads: 6 }
    })
    expect(kinds(config)).toEqual(expect.arrayContaining(['item', 'root']))
    const counts = await edit((manifest) => {
      manifest['empty'] = { proved: 5, notFound: 25 }
    })
    expect(kinds(counts)).toEqual(['card', 'strata'])
    const root = await edit((manifest) => {
      manifest['root'] = '0'.repeat(64)
    })
    expect(kinds(root)).toEqual(['card', 'root'])
    const audit = await edit((manifest) => {
      manifest['audit'] = { sha256: '0'.repeat(64), status: 'pass' }
    })
    expect(kinds(audit)).toEqual(['audit'])
  })

  it('finds the same where the plan is made elsewhere, while items are made with the one of the manifest', async () => {
    let planned = 0
    const elsewhere: VerifyOptions = {
      planMaker: async ({ config, split, seed }) => {
        planned++
        await new Promise((resolve) => setTimeout(resolve))
        return necklace.source(config, { split, seed }).plan
      },
    }
    const broken: VerifyOptions = { planMaker: () => Promise.reject(new Error('no such worker')) }
    const forged = await corrupted(good, fresh(), 'manifest.json', (text) => {
      const manifest = JSON.parse(text)
      const plan = { ...manifest.plan, thread: 'gold' }
      return JSON.stringify({ ...manifest, plan, planHash: sha256Hex(`touchstone/plan/1\n${canonicalConfig(plan)}`) })
    })
    for (const folder of [good, forged]) {
      const here = await check(folder)
      expect(here.problems).toHaveLength(folder === good ? 0 : 1)
      expect(await check(folder, elsewhere)).toEqual(here)
      expect(await check(folder, broken)).toEqual(here)
    }
    expect(planned).toBe(2)
    // Makers that a forged plan holds up are not waited for.
    const stuck = { make: () => new Promise<never>(() => undefined), ahead: 2 }
    expect((await check(forged, { ...elsewhere, chunkMaker: () => stuck })).problems).toHaveLength(1)
  })

  it('with --quick makes nothing anew, and says so', async () => {
    const found = await check(good, { quick: true })
    expect(found).toMatchObject({ regenerated: 0, mismatches: 0 })
    expect(found.notChecked).toHaveLength(3)
    // A feature outside the hash is not covered by the root: its file is.
    const copy = await corrupted(
      good,
      fresh(),
      items,
      editRow(fractional, (row) => (row['feature_share'] = 0.125)),
    )
    expect(kinds(await check(copy, { quick: true }))).toEqual(['file'])
    expect(kinds(await check(await reseal(copy), { quick: true }))).toEqual([])
    expect(kinds(await check(copy))).toEqual(['item'])
  })

  it('with --sample makes that many anew, others for another entropy', async () => {
    const copy = fresh()
    await cp(good, copy, { recursive: true })
    await corrupted(
      good,
      copy,
      items,
      editRow(fractional, (row) => (row['feature_share'] = 0.125)),
    )
    await reseal(copy)
    const found = new Map<boolean, number>()
    for (let i = 0; i < 40; i++) {
      const result = await check(copy, { sample: 24, entropy: String(i) })
      expect(result.regenerated).toBe(24)
      const hit = at(result, 'item').length === 1
      found.set(hit, (found.get(hit) ?? 0) + 1)
    }
    // Each sample of a quarter finds it with probability 1/4.
    expect(found.get(true)).toBeGreaterThan(2)
    expect(found.get(false)).toBeGreaterThan(15)
    expect((await check(good, { sample: 500 })).regenerated).toBe(96)
  })

  it('refuses a folder without a set, and a set of another version of the task', async () => {
    await expect(check(fresh())).rejects.toThrow(/is not a dataset: there is no such folder/)
    await expect(check(import.meta.dirname)).rejects.toThrow(/is not a dataset: it has no manifest\.json/)
    const { manifest } = await openDataset(good)
    await expect(verify({ folder: good, manifest: { ...manifest, version: 2 } }, necklace)).rejects.toThrow(
      /of version 2 .*Install package version/,
    )
  })
})
