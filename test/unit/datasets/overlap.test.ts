import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { hex, type Item, type Json, sha256, type Task, utf8 } from '../../../src/core/index.ts'
import { type Overlap, openDataset, overlap } from '../../../src/datasets/index.ts'
import { sample } from '../../nightly.ts'
import necklace from '../../toys/necklace.ts'
import { corrupted, editRow, make, scratch } from './folders.ts'

const { root, fresh } = await scratch()
const endless = necklace.preset('endless').config
const COUNT = sample({ nightly: 1200, otherwise: 480 })
const set = async (split: string, seed: string, count = COUNT): Promise<string> => {
  const out = fresh()
  await make(out, { config: endless, split, seed, count })
  return out
}
const test1 = await set('test', '1')
const test2 = await set('test', '2')
const train1 = await set('train', '1')

const compare = async (a: string, b: string | null, task: Task = necklace): Promise<Overlap> =>
  overlap(await openDataset(a), b === null ? null : await openDataset(b), task)

/** Beads by their first occurrence: equal up to renaming. */
const shape = (given: Json): string => {
  const seen = new Map<string, number>()
  return [...(given as { readonly string: string }).string]
    .map((bead) => {
      if (!seen.has(bead)) seen.set(bead, seen.size)
      return seen.get(bead)
    })
    .join('')
}
const renaming: Task = { ...necklace, canonical: ({ given }) => shape(given) }

const items = (split: string, seed: string, count = COUNT): Item[] => {
  const source = necklace.source(endless, { split, seed })
  return Array.from({ length: count }, (_, index) => source.item(index)).filter((item) => item.kind === 'item')
}

describe('overlap', () => {
  it('of two splits is nothing, and their fences prove it', async () => {
    const result = await compare(test1, train1)
    expect(result).toMatchObject({ status: 'disjoint', possible: 0, partition: { disjoint: true } })
    expect(result.items.L0.shared + (result.items.L1?.shared ?? 0) + (result.groups?.L0.shared ?? 0)).toBe(0)
    expect(result.partition.a).toMatchObject({
      domain: 'toy/necklace',
      split: 'test',
      buckets: [5, 6],
      of: 'group',
      violations: 0,
    })
    expect(result.partition.b?.checked).toBe(result.b?.groups)
  })

  it('of one set is its fence proof, and what it repeats', async () => {
    const result = await compare(test1, null)
    expect(result).toMatchObject({ b: null, status: 'disjoint', partition: { b: null, disjoint: false } })
    const texts = items('test', '1').map((item) => necklace.canonical?.(item))
    const repeated = new Set(texts.filter((text, i) => texts.indexOf(text) !== i))
    expect(result.items.L1).toMatchObject({ inA: texts.length, distinctA: new Set(texts).size, insideA: repeated.size })
  })

  it('of a set with itself is all of it', async () => {
    const result = await compare(test1, test1)
    expect(result.status).toBe('overlap')
    expect(result.items.L0.shared).toBe(result.items.L0.distinctA)
    expect(result.items.L0.itemsB).toBe(result.items.L0.inB)
    expect(result.items.L0.pairs).toHaveLength(20)
    expect(result.partition.disjoint).toBe(false)
  })

  it('up to renaming counts as a plain join of the canonical texts does', async () => {
    const result = await compare(test1, test2, renaming)
    const [a, b] = [items('test', '1'), items('test', '2')]
    const [left, right] = [new Set(a.map(({ given }) => shape(given))), new Set(b.map(({ given }) => shape(given)))]
    expect(result.items.L1).toMatchObject({
      inA: a.length,
      inB: b.length,
      distinctA: left.size,
      distinctB: right.size,
      shared: [...left].filter((text) => right.has(text)).length,
    })
    expect(result.status).toBe('overlap')
    for (const [i, j] of result.items.L1?.pairs ?? []) {
      const given = (list: readonly Item[], index: number) => list.find((item) => item.index === index)?.given as Json
      expect(shape(given(a, i))).toBe(shape(given(b, j)))
    }
    expect(result.items.L1?.itemsB).toBe(b.filter(({ given }) => left.has(shape(given))).length)
  })

  it('calls equal invariants without a form possible, never clean', async () => {
    const coarse: Task = { ...necklace, canonical: ({ given }) => `coarse ${shape(given)}` }
    const result = await compare(test1, test2, coarse)
    expect(result.items.L1).toMatchObject({ inA: 0, shared: 0 })
    expect(result.possible).toBeGreaterThan(0)
    expect(result.status).toBe('possible-overlap')
  })

  it('finds a breach of the fence', async () => {
    const moved: Task = {
      ...necklace,
      partition: { ...necklace.partition, key: () => '00000000000000000000000000000000' } as never,
    }
    const result = await compare(test1, null, moved)
    expect(result.status).toBe('partition-violated')
    expect(result.partition.a?.violations).toBe(result.a.groups)
    expect(result.partition.a?.first.slice(0, 3)).toEqual([0, 1, 3])
  })

  it('fenced by item proves it by items', async () => {
    const byItem: Task = {
      ...necklace,
      partition: {
        ...necklace.partition,
        of: 'item',
        key: ({ given }: { given: Json }) => hex(sha256(utf8(shape(given))).subarray(0, 16)),
      } as never,
    }
    const result = await compare(test1, train1, byItem)
    expect(result.partition.a?.checked).toBe(result.a.items)
    expect(result.items.L2?.shared).toBeGreaterThan(0)
    expect(result.status).toBe('partition-violated')
  })

  it('refuses sets of two tasks and items without their group', async () => {
    const a = await openDataset(test1)
    const other = { ...a, manifest: { ...a.manifest, task: 'toy/other' } }
    await expect(overlap(a, other, necklace)).rejects.toThrow(/expected two datasets of one task/)
    const orphan = await corrupted(
      test1,
      fresh(),
      'items-00000.jsonl',
      editRow(5, (row) => (row['group'] = 99_999)),
    )
    await expect(compare(orphan, null)).rejects.toThrow(/group 99999.*Run verify/)
  })
})

describe('without names', () => {
  it('prompts and structures of two splits are counted, and decide nothing', async () => {
    const alike: Task = {
      ...necklace,
      anonymize: ({ given }) => ({
        kind: 'statements',
        statements: [...(given as { string: string }).string].map((bead, at) => ({
          kind: 'bead',
          places: [bead.charCodeAt(0), at],
        })),
        question: 'beads',
        asked: [],
      }),
    }
    const result = await compare(test1, train1, alike)
    expect(result.status).toBe('disjoint')
    // Every string is one word of its question, so prompts have one form for each necklace.
    expect(result.items.form?.inA).toBe(result.a.items)
    expect(result.items.form?.distinctA).toBe(result.a.groups)
    expect(result.items.structure?.shared).toBeGreaterThan(0)
    expect(result.notes.filter((note) => note.startsWith('without names'))).toHaveLength(2)
  })
})

describe('touchstone verify --disjoint-from', () => {
  const run = promisify(execFile)
  const cli = join(import.meta.dirname, '../../../src/cli/main.ts')
  const plugin = join(import.meta.dirname, '../../toys/necklace.ts')
  const touchstone = (...args: string[]) =>
    run(process.execPath, [cli, 'verify', ...args, '--plugin', plugin]).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
    )

  it('exits 0 on disjoint sets and 1 on others, prints one document and writes it', async () => {
    const out = join(root, 'overlap.json')
    const clean = await touchstone(test1, '--disjoint-from', train1, '--json', '--out', out)
    expect(clean.code).toBe(0)
    expect(JSON.parse(clean.stdout)).toEqual(JSON.parse(await readFile(out, 'utf8')))
    expect(JSON.parse(clean.stdout)).toMatchObject({ schema: 'touchstone/overlap/1', status: 'disjoint' })
    const same = await touchstone(test1, '--disjoint-from', test1, '--no-write')
    expect(same.code).toBe(1)
    expect(same.stdout).toMatch(/status: overlap/)
    expect((await touchstone(fresh(), '--disjoint-from', test1)).code).toBe(2)
  })
})
