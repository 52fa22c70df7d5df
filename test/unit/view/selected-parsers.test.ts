import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { openLab } from '../../../src/index.ts'
import {
  byFeature,
  compareDocument,
  folders,
  itemDocument,
  itemsPage,
  outline,
  overview,
} from '../../../src/view/api/index.ts'
import { viewApp } from '../../../src/view/server/app.ts'
import { OpenRuns } from '../../../src/view/server/open-runs.ts'

// A model whose right answers the lenient parser alone reads, beside one that both read, each with the parser selected for it.
const folder = mkdtempSync(join(tmpdir(), 'touchstone-chosen-parsers-'))
const runs = new OpenRuns([])
const app = viewApp({ paths: [join(folder, 'run')], token: 'token', assets: new Map(), runs })
let run = ''
async function ask<T>(document: z.ZodMiniType<T>, path: string): Promise<T> {
  const headers = { host: '127.0.0.1', authorization: 'Bearer token' }
  const response = await app.request(`http://127.0.0.1/api/${path}`, { headers })
  return document.parse(await response.json())
}

beforeAll(async () => {
  const lab = await openLab({ env: {} })
  const items = [{ task: 'recoglab/comparison', preset: 'symbolic-distance', count: 24 }]
  const gold = join(folder, 'gold')
  await lab.run({ experiment: { items, models: ['baseline:gold'] }, out: gold })
  const { calls } = await lab.responses(gold)
  const models = ['clear', 'chatty'].map((name) => {
    const file = join(folder, `${name}.jsonl`)
    const lines = calls.map(({ item, style, response }) => {
      const said = response?.text ?? ''
      const text = name === 'clear' ? said : `I would say **${said.replace(/^Answer:\s*/iu, '')}**, I think.`
      return JSON.stringify({ item: item.id, style, model: 'x', sample: 0, text })
    })
    writeFileSync(file, `${lines.join('\n')}\n`)
    return { model: `replay:${file}`, name }
  })
  const selection = [
    { task: 'recoglab/comparison', model: 'clear', settings: '{}', style: 'answer-line', parser: 'strict' },
    { task: 'recoglab/comparison', model: 'chatty', settings: '{}', style: 'answer-line', parser: 'lenient' },
  ]
  await lab.run({ experiment: { items, models, selection }, out: join(folder, 'run') })
  run = `runs/${(await ask(folders, 'folders')).folders[0]?.id}`
})
afterAll(async () => {
  await runs.close()
  rmSync(folder, { recursive: true })
})

/** How many calls of the chatty model are right, by each page that says so. */
async function rights(query: string) {
  const { tables } = await ask(overview, `${run}/overview?${query}`)
  const accuracies = tables.find(({ id }) => id === 'core/accuracy')?.rows ?? []
  const { cells } = await ask(byFeature, `${run}/by-feature?x=distance&${query}`)
  const { rows } = await ask(itemsPage, `${run}/items?${query}`)
  const unread = await ask(itemsPage, `${run}/items?model=chatty&outcome=unparsed&${query}`)
  const { found } = await ask(compareDocument, `${run}/compare?a=clear&b=chatty&${query}`)
  const isMine = ({ model }: { readonly model: string }) => model === 'chatty'
  return {
    overview: accuracies.find(({ model }) => model === 'chatty')?.['correct'],
    surface: Math.round(cells.filter(isMine).reduce((sum, { share }) => sum + share.n * share.value, 0)),
    items: rows.flatMap(({ tallies }) => tallies.filter(isMine)).reduce((sum, { right }) => sum + right, 0),
    read: 24 - unread.total,
    compare: Math.round((found?.overall.items ?? 0) * (found?.overall.accuracyB ?? 0)),
  }
}
const all = (n: number) => ({ overview: n, surface: n, items: n, read: n, compare: n })

it('every page counts by the parsers selected for the run, where an address names none', async () => {
  expect((await ask(outline, `${run}/outline`)).parsers.slice(0, 3)).toEqual(['selected', 'strict', 'lenient'])
  expect(await rights('')).toEqual(all(24))
  expect(await rights('parser=selected')).toEqual(all(24))
  expect(await rights('parser=lenient')).toEqual(all(24))
  expect(await rights('parser=strict')).toEqual(all(0))
})

it('an item says by whom each answer is read', async () => {
  const { rows } = await ask(itemsPage, `${run}/items`)
  const { responses } = await ask(itemDocument, `${run}/item?id=${encodeURIComponent(rows[0]?.item ?? '')}`)
  expect(responses.map(({ model, parser }) => [model, parser])).toEqual([
    ['clear', 'strict'],
    ['chatty', 'lenient'],
  ])
})
