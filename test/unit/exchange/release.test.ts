import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FileTree, Imported, Importer } from '../../../src/core/index.ts'
import type { ExportAnswer } from '../../../src/extras/exchange/line.ts'
import { runAnswers } from '../../../src/extras/exchange/run-questions.ts'
import {
  createRunOfImport,
  executeRun,
  importRelease,
  openRun,
  parseExperiment,
  withRun,
} from '../../../src/runner/index.ts'
import { folderTree } from '../../../src/store/index.ts'
import { itemOf } from '../../../src/view/server/item.ts'
import type { ViewedRun } from '../../../src/view/server/open-runs.ts'
import { mockContext, scratch } from '../../mock/context.ts'

let folder: string
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ folder, remove } = await scratch())
})
afterEach(() => remove())

const WORD = 'a word that is long enough to be stored once'.repeat(3)
const SEEN = [
  { role: 'system', content: 'You count.' },
  { role: 'user', content: `Word: ${WORD}.\nAgain: ${WORD}` },
] as const

/** A release of one response, without its prompt, and maybe of one with it. */
const importer = (prompt?: typeof SEEN): Importer => ({
  name: 'numbers',
  task: 'mock/parity',
  describe: 'one number',
  async *read(files: FileTree): AsyncGenerator<Imported> {
    for await (const _ of files.list()) {
      yield { kind: 'group', key: 'g', shared: { word: WORD } }
      yield {
        kind: 'item',
        key: 'g/12',
        group: 'g',
        given: { n: 12 },
        answer: true,
        features: { digits: 2, even: true },
      }
      const said = { model: 'published', style: 'plain', settings: {}, sample: 0, text: 'Yes', finish: 'stop' } as const
      yield { kind: 'response', item: 'g/12', ...said }
      if (prompt !== undefined) yield { kind: 'response', item: 'g/12', ...said, sample: 1, prompt }
    }
  },
})

async function answersOf(dir: string): Promise<readonly ExportAnswer[]> {
  const found: ExportAnswer[] = []
  await withRun(await openRun(dir, mockContext(), { mode: 'read' }), async (run) => {
    for await (const page of runAnswers(run)) found.push(...page)
  })
  return found
}

it('a response of a release never leaves with our prompt; one that we asked for does', async () => {
  const release = join(folder, 'release')
  await mkdir(release)
  await writeFile(join(release, 'a.txt'), 'x')
  const dir = join(folder, 'run')
  await importRelease({ importers: [importer()], files: folderTree(release), dir }, mockContext())
  expect((await answersOf(dir)).map(({ request }) => request)).toEqual([
    { kind: 'chat', messages: [{ role: 'user', content: '[The prompt that the model saw was not imported.]' }] },
  ])
  await withRun(await openRun(dir, mockContext(), { mode: 'read' }), async (run) => {
    const id = String(run.ledger.query('SELECT id FROM item')[0]?.['id'])
    const { prompts } = await itemOf({ run, here: { runnable: [] } } as unknown as ViewedRun, id)
    expect(JSON.stringify(prompts)).toContain('[The prompt that the model saw was not imported.]')
    expect(JSON.stringify(prompts)).not.toContain('is this number even')
  })
  const asked = join(folder, 'asked')
  const models = ['baseline:exact']
  const { name, seed, models: entries, limits } = parseExperiment({ items: [{ task: 'mock/parity' }], models })
  const experiment = { name, seed, models: entries, limits }
  await withRun(await createRunOfImport({ from: dir, dir: asked, experiment }, mockContext()), (run) =>
    executeRun(run, {}),
  )
  expect(JSON.stringify((await answersOf(asked)).map(({ request }) => request))).toContain('is this number even')
})

it('a response of a release that tells its prompt keeps it, without a second copy of what its group holds', async () => {
  const release = join(folder, 'release')
  await mkdir(release)
  await writeFile(join(release, 'a.txt'), 'x')
  const dir = join(folder, 'run')
  await importRelease({ importers: [importer(SEEN)], files: folderTree(release), dir }, mockContext())
  expect((await answersOf(dir)).map(({ request }) => request)).toContainEqual({ kind: 'chat', messages: SEEN })
  await withRun(await openRun(dir, mockContext(), { mode: 'read' }), async (run) => {
    const raw = run.ledger.query('SELECT raw FROM response WHERE raw IS NOT NULL').map((row) => String(row['raw']))
    expect(raw).toHaveLength(1)
    expect(raw[0]).not.toContain(WORD)
    const id = String(run.ledger.query('SELECT id FROM item')[0]?.['id'])
    const { prompts } = await itemOf({ run, here: { runnable: [] } } as unknown as ViewedRun, id)
    expect(JSON.stringify(prompts)).toContain('You count.')
  })
})
