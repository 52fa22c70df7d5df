import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileTree, Imported, Importer, Task } from '../../../src/core/index.ts'
import {
  createRun,
  createRunOfImport,
  executeRun,
  importRelease,
  openRun,
  parseExperiment,
} from '../../../src/runner/index.ts'
import { folderTree, loadFrames, parquetWriter } from '../../../src/store/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'
import { parity } from '../../mock/parity.ts'

let folder: string
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ folder, remove } = await scratch())
})
afterEach(() => remove())

/** Reads `N.txt` files of lines `number model response`, one group a file. */
const importer: Importer = {
  name: 'numbers',
  task: 'mock/parity',
  describe: 'numbers in text files',
  async *read(files: FileTree): AsyncGenerator<Imported> {
    for await (const { path, bytes } of files.list()) {
      const key = path.replace(/\.txt$/u, '')
      yield { kind: 'group', key, shared: { word: key } }
      yield { kind: 'count', name: 'bytes', add: bytes }
      let text = ''
      for await (const piece of files.text(path)) text += piece
      const seen = new Set<string>()
      for (const [i, line] of text.trim().split('\n').entries()) {
        const [n = '', model, said] = line.split(' ')
        if (model === undefined || said === undefined) {
          yield { kind: 'problem', problem: 'cut-line', path, line: i + 1, count: 1, message: 'a line was cut off' }
          continue
        }
        if (!seen.has(n)) {
          seen.add(n)
          const even = Number(n) % 2 === 0
          yield {
            kind: 'item',
            key: `${key}/${n}`,
            group: key,
            given: { n: Number(n) },
            answer: even,
            features: { digits: n.length, even },
          }
        }
        yield {
          kind: 'response',
          item: `${key}/${n}`,
          model,
          style: 'plain',
          settings: { temperature: 0 },
          sample: 0,
          text: said,
          finish: 'stop',
        }
      }
      yield {
        kind: 'response',
        item: 'nowhere',
        model: 'm',
        style: 'plain',
        settings: {},
        sample: 0,
        text: 'Yes',
        finish: 'stop',
      }
    }
  },
}

describe('a published release', () => {
  it('becomes a run like our own, with what is wrong with it told', async () => {
    const release = join(folder, 'release')
    await mkdir(join(release, 'deep', 'er'), { recursive: true })
    await writeFile(join(release, 'a.txt'), '12 big Yes\n13 big No\n12 small No\n15\n12 big Yes\n')
    await writeFile(join(release, 'deep', 'er', 'b.txt'), '12 big hmm\n')
    const dir = join(folder, 'run')
    const result = await importRelease({ importers: [importer], files: folderTree(release), dir }, mockContext())
    expect(result).toMatchObject({ groups: 2, items: 3, responses: 4, counts: { bytes: 58 } })
    expect(result.problems.map(({ problem, path, line, count }) => [problem, path, line, count])).toEqual([
      ['cut-line', 'a.txt', 4, 1],
      ['unknown-item', '', null, 2],
      ['duplicate-response', '', null, 1],
    ])
    const run = await openRun(dir, mockContext(), { mode: 'write' })
    const frame = (await loadFrames(run)).frame('strict')
    expect(frame?.category('model').levels).toEqual(['big', 'small'])
    expect(Array.from(frame?.number('score') ?? [])).toEqual([1, 1, 0, Number.NaN])
    expect(frame?.category('group').levels).toEqual(['0/a', '0/deep/er/b'])
    expect(frame?.category('config').levels).toEqual(['published'])
    // Its prompts can be shown, and its items asked of others.
    for await (const page of run.ledger.items())
      for (const { item, shared } of page)
        expect(JSON.stringify(run.sources.request(item, shared, 'plain'))).toContain('is this number even')
    await run[Symbol.asyncDispose]()
  })
})

describe('the items of a release', () => {
  const make = async (importers: readonly Importer[], dir: string) => {
    const release = join(folder, 'release')
    await mkdir(release, { recursive: true })
    await writeFile(join(release, 'a.txt'), '12 big Yes\n13 big No\n')
    await writeFile(join(release, 'b.txt'), '12 big No\n')
    return importRelease({ importers, files: folderTree(release), dir }, mockContext({ tasks: [parity, other] }))
  }
  /** A second task of the same release. */
  const other: Task = { ...parity, name: 'mock/other' }
  const context = mockContext({ tasks: [parity, other] })
  const experiment = (models: readonly string[]) => {
    const { name, seed, models: entries, limits } = parseExperiment({ items: [{ task: 'mock/parity' }], models })
    return { name, seed, models: entries, limits }
  }

  it('of all its parts are one run, each part a source', async () => {
    const dir = join(folder, 'both')
    const result = await make([importer, { ...importer, name: 'others', task: 'mock/other' }], dir)
    expect(result).toMatchObject({ groups: 4, items: 6, responses: 6 })
    const run = await openRun(dir, context, { mode: 'read' })
    expect(run.file.sources.map(({ task }) => task)).toEqual(['mock/parity', 'mock/other'])
    expect(run.ledger.query('SELECT source, COUNT(*) AS n FROM item GROUP BY source')).toMatchObject([
      { source: 0, n: 3 },
      { source: 1, n: 3 },
    ])
    await run[Symbol.asyncDispose]()
  })

  it("are asked of models of one's own, with what their groups share, and can be resumed", async () => {
    const from = join(folder, 'from')
    await make([importer], from)
    const dir = join(folder, 'asked')
    const run = await createRunOfImport({ from, dir, experiment: experiment(['baseline:exact']) }, context)
    expect((await executeRun(run, {})).counts).toMatchObject({ done: 3, failed: 0 })
    const frame = (await loadFrames(run)).frame('strict')
    expect(Array.from(frame?.number('score') ?? [])).toEqual([1, 1, 1])
    expect(frame?.category('model').levels).toEqual(['baseline:exact'])
    expect(run.ledger.query('SELECT DISTINCT item_group FROM item ORDER BY item_group')).toMatchObject([
      { item_group: '0/a' },
      { item_group: '0/b' },
    ])
    await run[Symbol.asyncDispose]()
    const again = await openRun(dir, context, { mode: 'write' })
    expect((await executeRun(again, {})).counts).toMatchObject({ done: 3 })
    await again[Symbol.asyncDispose]()
  })

  it('are refused in a style the task lacks, and of a run that was not imported', async () => {
    const from = join(folder, 'from')
    await make([importer], from)
    const asked = { from, dir: join(folder, 'asked'), experiment: experiment(['baseline:exact']) }
    await expect(createRunOfImport({ ...asked, styles: ['plian'] }, context)).rejects.toThrow(/no style "plian"/u)
    const own = join(folder, 'own')
    const drawn = parseExperiment({ items: [{ task: 'mock/parity', count: 2 }], models: ['baseline:exact'] })
    await (await createRun({ experiment: drawn, dir: own }, context))[Symbol.asyncDispose]()
    await expect(createRunOfImport({ ...asked, from: own }, context)).rejects.toThrow(/was not imported/u)
  })
})

describe('a folder as a file tree', () => {
  it('lists files at any depth in order, and reads nothing outside itself', async () => {
    await mkdir(join(folder, 'b'))
    await writeFile(join(folder, 'b', 'c.txt'), 'é'.repeat(300_000))
    await writeFile(join(folder, 'a.txt'), '')
    const tree = folderTree(folder)
    const paths: string[] = []
    for await (const { path } of tree.list()) paths.push(path)
    expect(paths).toEqual(['a.txt', 'b/c.txt'])
    let text = ''
    for await (const piece of tree.text('b/c.txt')) text += piece
    expect(text).toBe('é'.repeat(300_000))
    const outside = async (): Promise<void> => {
      for await (const _ of tree.text('../x'));
    }
    await expect(outside()).rejects.toThrow(/stays inside it/u)
  })
})

describe('a Parquet file in a folder', () => {
  const linesOf = async (path: string): Promise<readonly unknown[]> => {
    let text = ''
    for await (const piece of folderTree(folder).text(path)) text += piece
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line))
  }

  it('is read as JSON lines', async () => {
    const path = join(folder, 'rows[1].parquet')
    const writer = await parquetWriter(path, [
      { name: 'a text', type: 'text' },
      { name: 'n', type: 'integer' },
    ])
    await writer.write([
      { 'a text': 'two\n"lines" é', n: 1 },
      { 'a text': null, n: 2 },
    ])
    await writer.close()
    expect(await linesOf('rows[1].parquet')).toEqual([
      { 'a text': 'two\n"lines" é', n: 1 },
      { 'a text': null, n: 2 },
    ])
  })

  it('that is none is told by its name', async () => {
    await writeFile(join(folder, 'forged.parquet'), 'PAR1 and nothing')
    await expect(linesOf('forged.parquet')).rejects.toThrow(/forged\.parquet/u)
  })
})

describe('an import', () => {
  it('that was cut short is no run', async () => {
    const cut: Importer = {
      ...importer,
      async *read(files) {
        yield* importer.read(files)
        throw new Error('killed')
      },
    }
    const from = join(folder, 'from')
    await mkdir(from)
    await writeFile(join(from, 'one.txt'), '2 a Yes\n')
    const dir = join(folder, 'run')
    await expect(importRelease({ importers: [cut], files: folderTree(from), dir }, mockContext())).rejects.toThrow(
      'killed',
    )
    for (const mode of ['read', 'write'] as const)
      await expect(openRun(dir, mockContext(), { mode })).rejects.toThrow(
        /was interrupted\. Remove the folder and import again/u,
      )
  })
})
