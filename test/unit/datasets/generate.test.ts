import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MerkleTree, merkleLeaf, type Task } from '../../../src/core/index.ts'
import {
  type ChunkJob,
  datasetRows,
  type GenerateOptions,
  makeChunk,
  manifestId,
  merge,
  openDataset,
  parseManifest,
  verify,
} from '../../../src/datasets/index.ts'
import necklace from '../../toys/necklace.ts'
import { contents, make, scratch } from './folders.ts'

const { fresh, root } = await scratch()
const endless = necklace.preset('endless').config

describe('generate', () => {
  it('writes the same bytes each time, as JSON lines', async () => {
    const [first, second] = [fresh(), fresh()]
    await make(first, { prompts: { style: 'polite', solutions: false } })
    await make(second, { prompts: { style: 'polite', solutions: false } })
    const files = await contents(first)
    expect(files).toEqual(await contents(second))
    expect(Object.keys(files)).toEqual([
      'README.md',
      'groups-00000.jsonl',
      'items-00000.jsonl',
      'manifest.json',
      'prompts-00000.jsonl',
    ])
  })

  it('writes the items of the source, holes included, and a manifest that counts them', async () => {
    const out = fresh()
    const manifest = await make(out)
    const source = necklace.source(necklace.configure({}), { split: 'test', seed: '1' })
    const tree = new MerkleTree()
    for (let index = 0; index < 96; index++) tree.add(merkleLeaf(source.item(index).hash))
    expect(manifest).toMatchObject({
      indices: 96,
      count: 66,
      empty: { proved: 6, notFound: 24 },
      root: tree.root(),
      groups: { count: 3, layout: 'group-major' },
      partition: { domain: 'toy/necklace', keyVersion: 1 },
      plan: source.plan,
    })
    const dataset = await openDataset(out)
    expect(dataset.manifest).toEqual(manifest)
    const rows = []
    for await (const batch of datasetRows(dataset, necklace, 'items')) rows.push(...batch)
    for (const [index, row] of rows.entries()) {
      const item = source.item(index)
      expect(row).toMatchObject({ index, id: item.id, hash: item.hash, group: item.group, stratum: item.stratum })
      if (item.kind === 'item') expect(row).toMatchObject({ given: item.given, answer: item.answer, hole: null })
      else expect(row['hole']).toBe(`${item.proved ? 'proved' : 'gave up'}: ${item.reason}`)
    }
    const { filled, empty, notFound: unreached } = manifest.strata
    const sum = (entries: readonly object[], field: string) =>
      entries.reduce((total, entry) => total + Number((entry as { [key: string]: unknown })[field]), 0)
    expect([sum(filled, 'count'), sum(empty, 'count'), sum(unreached, 'tries')]).toEqual([66, 6, 24])
  })

  it('has the identity of its rows, whatever the format, the moment and the Node', async () => {
    const jsonl = await make(fresh())
    const parquet = await make(fresh(), {
      format: 'parquet',
      created: '2031-01-01T00:00:00.000Z',
      generator: { package: 'toy', version: '0.0.0', node: 'v99' },
    })
    expect(parquet.root).toBe(jsonl.root)
    const renamed = {
      ...parquet,
      shards: parquet.shards.map((s) => ({ ...s, file: s.file.replace('parquet', 'jsonl') })),
    }
    expect(manifestId(renamed)).toBe(manifestId(jsonl))
    expect(manifestId({ ...jsonl, root: '0'.repeat(64) })).not.toBe(manifestId(jsonl))
  })

  it('is a prefix of every larger set', async () => {
    const [short, long] = [fresh(), fresh()]
    await make(short, { config: endless, count: 100 })
    await make(long, { config: endless, count: 300 })
    const lines = (text: string | undefined) => (text ?? '').split('\n').slice(0, -1)
    const [few, many] = [await contents(short), await contents(long)]
    expect(lines(many['items-00000.jsonl']).slice(0, 100)).toEqual(lines(few['items-00000.jsonl']))
  })

  it('takes chunks from elsewhere, several at a time, in the order of indices', async () => {
    const [here, there] = [fresh(), fresh()]
    const jobs: ChunkJob[] = []
    await make(here, { config: endless, count: 5000 })
    await make(there, {
      config: endless,
      count: 5000,
      chunkMaker: (source) => ({
        ahead: 3,
        async make(job: ChunkJob) {
          jobs.push(job)
          // Later chunks are ready first.
          for (let i = jobs.length % 3; i < 3; i++) await new Promise((resolve) => setImmediate(resolve))
          return makeChunk(necklace, source, job)
        },
      }),
    })
    expect(await contents(there)).toEqual(await contents(here))
    // Groups have 24 items: none is cut in two, and chunks are as large as that allows.
    expect(jobs.map(({ first, count }) => [first, count])).toEqual([
      [0, 1008],
      [1008, 1008],
      [2016, 1008],
      [3024, 1008],
      [4032, 968],
    ])
  })

  it('refuses a folder that holds anything, and touches nothing in it', async () => {
    const used = fresh()
    await make(used)
    const before = await contents(used)
    await expect(make(used, { seed: '2' })).rejects.toThrow(/already holds a dataset/)
    expect(await contents(used)).toEqual(before)
    const left = fresh()
    await mkdir(left)
    await writeFile(join(left, 'items-00000.jsonl'), '')
    await expect(make(left)).rejects.toThrow(/unfinished dataset/)
    const other = fresh()
    await mkdir(other)
    await writeFile(join(other, 'README.md'), 'mine')
    await expect(make(other)).rejects.toThrow(/other files/)
    expect(await contents(other)).toEqual({ 'README.md': 'mine' })
    await expect(make(join(other, 'README.md'))).rejects.toThrow(/is a file/)
    await mkdir(join(root, 'empty'))
    await expect(make(join(root, 'empty'))).resolves.toMatchObject({ count: 66 })
  })

  it('leaves nothing behind when it is stopped, or when the task fails half-way', async () => {
    for (const [format, count, enough] of [
      // The first file is closed after 16,384 rows.
      ['jsonl', 20_000, 18_000],
      ['parquet', 5_000, 3_000],
    ] as const) {
      const out = fresh()
      const stop = new AbortController()
      const options: Partial<GenerateOptions> = {
        config: endless,
        count,
        format,
        prompts: { style: 'plain', solutions: false },
        signal: stop.signal,
        onProgress: (done) => {
          if (done > enough) stop.abort()
        },
      }
      await expect(make(out, options)).rejects.toThrow(/abort/i)
      await expect(readdir(out)).rejects.toThrow(/ENOENT/)
    }
    const out = fresh()
    const careless = necklace.configure({ careless: true, groups: null })
    await expect(make(out, { config: careless, count: 2000 })).rejects.toThrow(/partition bucket/)
    await expect(readdir(out)).rejects.toThrow(/ENOENT/)
  })

  it.each([
    [{ config: endless }, /endless.*--count/],
    [{ count: 97 }, /96 indices, got 97/],
    [{ count: 0 }, /--count: expected a whole number from 1/],
    [{ shard: { index: 1, of: 1 } }, /0 <= i < n/],
    [{ shard: { index: 0, of: 2 } }, /shard 0 of 2 would be empty\. Use at most 1 shards/],
  ] as const)('refuses %j', async (more, message) => {
    await expect(make(fresh(), more)).rejects.toThrow(message)
  })
})

describe('merge', () => {
  const count = 5000
  const options: Partial<GenerateOptions> = { config: endless, count, prompts: { style: 'plain', solutions: false } }
  const shards = async (of: number, format: 'jsonl' | 'parquet') => {
    const folders = Array.from({ length: of }, () => fresh())
    for (const [index, out] of folders.entries()) await make(out, { ...options, format, shard: { index, of } })
    return folders
  }
  const joined = async (folders: readonly string[], task: Task = necklace) => {
    const out = fresh()
    await merge(await Promise.all(folders.map((folder) => openDataset(folder))), task, out)
    return out
  }

  it('of shards in any order is the set one run writes: same files, root and identity', async () => {
    const whole = fresh()
    const manifest = await make(whole, options)
    const [a, b, c, d] = (await shards(4, 'jsonl')) as [string, string, string, string]
    for (const order of [
      [a, b, c, d],
      [c, a, d, b],
      [d, c, b, a],
    ]) {
      const out = await joined(order)
      const { manifest: merged } = await openDataset(out)
      expect(merged.root).toBe(manifest.root)
      expect(manifestId(merged)).toBe(manifestId(manifest))
      expect(await contents(out)).toEqual(await contents(whole))
    }
  })

  it('of Parquet shards has the same root and identity, and verifies', async () => {
    const manifest = await make(fresh(), { ...options, format: 'parquet' })
    const out = await joined((await shards(3, 'parquet')).reverse())
    const dataset = await openDataset(out)
    expect(manifestId(dataset.manifest)).toBe(manifestId(manifest))
    expect(await verify(dataset, necklace, { oracles: true })).toMatchObject({ mismatches: 0, regenerated: count })
  })

  it('refuses gaps, overlaps, other sets, changed rows and a used folder', async () => {
    const [a, b, c] = (await shards(3, 'jsonl')) as [string, string, string]
    await expect(joined([a, c])).rejects.toThrow(/do not join/)
    await expect(joined([a, b, b, c])).rejects.toThrow(/do not join/)
    const other = fresh()
    await make(other, { ...options, seed: '2', shard: { index: 1, of: 3 } })
    await expect(joined([a, other, c])).rejects.toThrow(/another set: its seed/)
    const split = fresh()
    await make(split, { ...options, split: 'train', shard: { index: 1, of: 3 } })
    await expect(joined([a, split, c])).rejects.toThrow(/expected the split/)
    const datasets = await Promise.all([a, b, c].map((folder) => openDataset(folder)))
    await expect(merge(datasets, necklace, a)).rejects.toThrow(/already holds a dataset/)
    await expect(merge([], necklace, fresh())).rejects.toThrow(/at least one/)
    const path = join(b, 'items-00000.jsonl')
    const text = (await contents(b))['items-00000.jsonl'] as string
    const out = fresh()
    for (const damaged of [
      text.replace(/"hash":"[0-9a-f]{4}/u, '"hash":"0000'),
      text.replace(/"answer":(true|false)/u, (_, answer) => `"answer":${answer !== 'true'}`),
      text.replace(/"hole":"[^"]*"/u, '"hole":5'),
    ]) {
      expect(damaged).not.toBe(text)
      await writeFile(path, damaged)
      await expect(merge(datasets, necklace, out)).rejects.toThrow(/was changed: a row differs from its stored hash/)
      await expect(readdir(out)).rejects.toThrow(/ENOENT/)
    }
    await writeFile(path, text.split('\n').slice(1).join('\n'))
    await expect(merge(datasets, necklace, out)).rejects.toThrow(/Run verify on each/)
    await writeFile(path, text)
    const groups = (await contents(b))['groups-00000.jsonl'] as string
    await writeFile(join(b, 'groups-00000.jsonl'), groups.replace(/"shared":\{/u, '"shared":{"more":1,'))
    await expect(merge(datasets, necklace, out)).rejects.toThrow(/was changed: a row differs from its stored hash/)
  })
})

describe('manifests', () => {
  it('are read strictly', async () => {
    const manifest = await make(fresh())
    const read = (value: unknown) => parseManifest(JSON.stringify(value), 'here')
    expect(read(manifest)).toEqual(manifest)
    expect(() => parseManifest('{', 'here')).toThrow(/here is not JSON/)
    expect(() => read({ ...manifest, root: 'x' })).toThrow(/root/)
    expect(() => read({ ...manifest, extra: 1 })).toThrow(/extra/)
    expect(() => read({ ...manifest, shards: [{ ...manifest.shards[0], file: '../x.jsonl' }] })).toThrow(/file/)
  })
})
