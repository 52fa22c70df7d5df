import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type * as z from 'zod/mini'
import { openLab } from '../../../src/index.ts'
import { compareSides, makeReport } from '../../../src/report/index.ts'
import { RUN_FILES } from '../../../src/runner/index.ts'
import { Ledger, loadFrames, lockRun, noRedaction } from '../../../src/store/index.ts'
import { families } from '../../../src/tasks/index.ts'
import * as api from '../../../src/view/api/index.ts'
import { viewApp } from '../../../src/view/server/app.ts'
import { OpenRuns } from '../../../src/view/server/open-runs.ts'
import { sample } from '../../nightly.ts'
import { scoredFolder, toyFolder } from './toy-run.ts'

const token = 'a-token-of-this-test'
let folder: string
let runs: OpenRuns
let app: ReturnType<typeof viewApp>
beforeAll(async () => {
  folder = await toyFolder()
  runs = new OpenRuns([])
  const assets = new Map([['/', { body: '<!doctype html>', type: 'text/html' }]])
  app = viewApp({ paths: [folder], token, assets, runs })
})
afterAll(async () => {
  await runs.close()
  rmSync(folder, { recursive: true })
})

const host = { host: '127.0.0.1:7000' }
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(`http://127.0.0.1:7000${path}`, { method, headers: { ...host, ...headers } })
async function get<T>(schema: z.ZodMiniType<T>, path: string): Promise<T> {
  const response = await ask(path, { authorization: `Bearer ${token}` })
  const body: unknown = await response.json()
  if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(body)}`)
  return schema.parse(body)
}
async function runId(): Promise<string> {
  const { folders } = await get(api.folders, '/api/folders')
  return folders.find(({ kind }) => kind === 'run')?.id ?? ''
}

test('whoever does not know the token gets nothing', async () => {
  for (const path of ['/', '/api/folders', '/api/runs/x/overview', '/client.js'])
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { cookie: 'touchstone=wrong' }] as Record<
      string,
      string
    >[])
      expect((await ask(path, headers)).status).toBe(401)
  expect((await ask('/?token=wrong')).status).toBe(401)
})

test('a person who opens an address that is wrong reads words, and a program a document', async () => {
  const page = await ask('/?token=wrong', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  expect([page.status, page.headers.get('content-type')]).toEqual([401, expect.stringMatching(/^text\/plain/)])
  expect(await page.text()).toMatch(
    /^open the address that `touchstone view` printed.*\n\nNext: touchstone view PATH\n$/,
  )
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const document = await ask('/?token=wrong', { accept: 'application/json' })
  expect(api.viewError.parse(await document.json()).next).toBe('touchstone view PATH')
})

test('the token in the address becomes a cookie that scripts cannot read, and leaves the address', async () => {
  const response = await ask(`/?token=${token}`)
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/')
  const cookie = response.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/HttpOnly/)
  expect(cookie).toMatch(/SameSite=Strict/)
  expect((await ask('/', { cookie: cookie.split(';')[0] ?? '' })).status).toBe(200)
})

test('the token never leads to another server', async () => {
  for (const path of ['//evil.example/', '///evil.example/x', '/%5Cevil.example', '//evil.example//'])
    expect((await ask(`${path}?token=${token}`)).headers.get('location')).toMatch(/^\/(?!\/)/u)
})

test('a name of the loopback that is not its own is refused, as is what could change something', async () => {
  const headers = { authorization: `Bearer ${token}` }
  expect((await ask('/api/folders', { ...headers, host: 'evil.example:7000' })).status).toBe(403)
  expect((await ask('/api/folders', { ...headers, host: '127.0.0.1.evil.example' })).status).toBe(403)
  for (const method of ['POST', 'PUT', 'DELETE']) expect((await ask('/api/folders', headers, method)).status).toBe(405)
})

test('with control a run that is worked on is stopped by its own pages, and by no others', async () => {
  const own = viewApp({ paths: [folder], token, assets: new Map(), runs, control: true })
  const lock = lockRun(join(folder, 'run', RUN_FILES.lock))
  const told: (number | string)[] = []
  const kill = vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    told.push(pid, String(signal))
    return true
  })
  const stop = async (headers: Record<string, string>, app = own) =>
    app.request(`http://127.0.0.1:7000/api/runs/${await runId()}/stop`, {
      method: 'POST',
      headers: { ...host, authorization: `Bearer ${token}`, ...headers },
    })
  try {
    expect((await stop({}, app)).status).toBe(405)
    expect((await stop({ authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await stop({ origin: 'http://evil.example' })).status).toBe(403)
    expect((await stop({ origin: 'null' })).status).toBe(403)
    expect(told).toEqual([])
    const page = await own.request('http://127.0.0.1:7000/api/folders', {
      headers: { ...host, authorization: `Bearer ${token}` },
    })
    expect(JSON.stringify(await page.json())).toContain('"stoppable":true')
    expect((await get(api.folders, '/api/folders')).folders.find(({ kind }) => kind === 'run')).toMatchObject({
      held: true,
      making: null,
      stoppable: false,
    })
    const done = await stop({ origin: 'http://127.0.0.1:7000' })
    expect(api.stopped.parse(await done.json()).pid).toBe(process.pid)
    expect(told).toEqual([process.pid, 'SIGINT'])
  } finally {
    kill.mockRestore()
    lock[Symbol.dispose]()
  }
  expect(await (await stop({})).json()).toMatchObject({ message: 'no process works on this run' })
})

test('every answer carries a policy that runs no foreign script', async () => {
  for (const path of ['/', '/api/folders', '/nowhere']) {
    const policy = (await ask(path, { authorization: `Bearer ${token}` })).headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/script-src[^;]*'unsafe/)
  }
})

test('runs and datasets below a folder are found; one that is damaged hides no other', async () => {
  const { folders } = await get(api.folders, '/api/folders')
  expect(folders.map(({ kind }) => kind).sort()).toEqual(['dataset', 'run'])
  const run = folders.find(({ kind }) => kind === 'run')
  expect(run).toMatchObject({ counts: { done: 24, waiting: 0 }, held: false, limit: null })
  const manifest = join(folder, 'broken', 'manifest.json')
  await import('node:fs/promises').then((fs) => fs.mkdir(join(folder, 'broken')))
  writeFileSync(manifest, '{')
  const again = await get(api.folders, '/api/folders')
  expect(again.folders.map(({ kind }) => kind).sort()).toEqual(['broken', 'dataset', 'run'])
  rmSync(join(folder, 'broken'), { recursive: true })
})

test('the overview has the numbers of the report, to the last digit', async () => {
  const { tables } = await get(api.overview, `/api/runs/${await runId()}/overview`)
  const { report } = await (await openLab()).report(join(folder, 'run'), { formats: [], analyses: ['core'] })
  const reported = report.analyses.flatMap((analysis) => analysis.tables)
  expect(tables.map(({ id }) => id)).toContain('core/accuracy')
  // What needs no reasoning takes its time, and comes by itself.
  const { sets } = await get(api.references, `/api/runs/${await runId()}/references`)
  const [set] = sets
  expect(set).toMatchObject({ task: 'recoglab/comparison', style: 'answer-line', rule: expect.any(String) })
  const { chance, guess, rule } = set ?? {}
  for (const table of tables) {
    const blind = table.id === 'core/accuracy' ? { chance, heuristic: guess, heuristicName: rule } : {}
    const rows = table.rows.map((row) => ({ ...row, ...blind }))
    expect(rows).toEqual(JSON.parse(JSON.stringify(reported.find(({ id }) => id === table.id)?.rows)))
  }
})

test('chance and the rule of thumb at each place of a surface are those of the report, of the items there', async () => {
  const id = await runId()
  const { report } = await (await openLab()).report(join(folder, 'run'), { formats: [], analyses: ['core/by-feature'] })
  const start = 'core/by-feature/recoglab/comparison/'
  const rules = []
  for (const table of report.analyses.flatMap(({ tables }) => tables).filter((one) => one.id.startsWith(start))) {
    const x = table.id.slice(start.length)
    // The report has every value by itself.
    const { bins } = await get(api.byFeature, `/api/runs/${id}/by-feature?x=${x}`)
    if (bins.length > 0) continue
    const { rule, cells } = await get(api.referencesByFeature, `/api/runs/${id}/references-by-feature?x=${x}`)
    rules.push(rule)
    expect(table.columns.some(({ label }) => label === `Heuristic baseline: ${rule}`)).toBe(rule !== null)
    const textOf = (chance: unknown, heuristic: unknown) => JSON.stringify([chance ?? null, heuristic ?? null])
    expect(cells.map(({ chance, guess }) => textOf(chance, guess)).sort()).toEqual(
      [...new Map(table.rows.map((row) => [row['level'], textOf(row['chance'], row['heuristic'])])).values()].sort(),
    )
  }
  expect(rules).toContainEqual(expect.any(String))
  const { sets } = await get(api.references, `/api/runs/${id}/references?feature=distance%3D99`)
  expect(sets).toEqual([])
})

test('overview and comparison of selected items are those of a report of them, and intervals grow with the views', async () => {
  const id = await runId()
  const { rows } = await get(api.itemsPage, `/api/runs/${id}/items`)
  const [low, high] = [...new Set(rows.map(({ features }) => Number(features['distance'])))].sort((a, b) => a - b)
  const wanted = rows.filter(({ features }) => [low, high].includes(Number(features['distance'])))
  const query = `feature=distance%3D${low}&feature=distance%3D${high}`
  const [a, b] = ['baseline:oracle', 'baseline:random']
  const overviewOf = (more: string) => get(api.overview, `/api/runs/${id}/overview?${query}${more}`)
  const compareOf = (more: string) =>
    get(api.compareDocument, `/api/runs/${id}/compare?${new URLSearchParams({ a, b })}&${query}${more}`)
  const where = `feature_distance IN (${low}, ${high})`
  await using ledger = new Ledger(join(folder, 'run', RUN_FILES.ledger), {
    readOnly: true,
    redact: { known: noRedaction, shapes: noRedaction },
  })
  const frames = await loadFrames({ ledger }, { where })
  const tasks = families.flatMap((family) => family.tasks)
  const report = makeReport({ run: 'run', frames, tasks, only: ['core/accuracy', 'core/paired'] })
  const numbers = (tables: readonly { readonly rows: readonly { readonly [column: string]: unknown }[] }[]) =>
    tables.flatMap((table) =>
      table.rows.map((row) => {
        const { correct = null, accuracy = null, difference = null, p = null } = row
        return { correct, p, ...api.estimate.parse(accuracy ?? difference) }
      }),
    )

  const overview = await overviewOf('')
  expect(overview.subsetSize).toEqual({ items: wanted.length, all: rows.length, views: 1 })
  expect(numbers(overview.tables)).toEqual(numbers(report.analyses.flatMap(({ tables }) => tables)))
  const looked = numbers((await overviewOf('&views=20')).tables)
  expect(looked).toHaveLength(3)
  for (const [i, { low, high, p }] of numbers(overview.tables).entries()) {
    expect(looked[i]?.p).toBe(p)
    expect((looked[i]?.high ?? 0) - (looked[i]?.low ?? 0)).toBeGreaterThan(high - low)
  }

  const { found } = await compareOf('')
  const side = (model: string) => ({ name: model, frames, model })
  const library = compareSides(side(a), side(b), 'model', tasks)
  expect(found?.overall).toMatchObject({ items: wanted.length, difference: library?.overall.difference })
  const wider = await compareOf('&views=20')
  expect(wider.subsetSize?.views).toBe(20)
  expect(wider.found?.overall.difference.low).toBeLessThan(found?.overall.difference.low ?? 0)
  for (const page of ['overview', 'compare'])
    expect((await ask(`/api/runs/${id}/${page}?outcome=wrong`, { authorization: `Bearer ${token}` })).status).toBe(400)
})

test('tokens of selected items are counted on them alone, and batches of models of one task are no other task', async () => {
  const id = await runId()
  const { rows } = await get(api.itemsPage, `/api/runs/${id}/items`)
  const distances = [...new Set(rows.map(({ features }) => Number(features['distance'])))].sort((a, b) => a - b)
  const least = distances[1] ?? 0
  const wanted = rows.filter(({ features }) => Number(features['distance']) >= least)
  expect(wanted.length).toBeLessThan(rows.length)
  const tokensOf = (query: string) => get(api.tokensDocument, `/api/runs/${id}/tokens?x=distance&${query}`)
  const [some, looked] = [
    await tokensOf(`feature=distance>=${least}`),
    await tokensOf(`feature=distance>=${least}&views=9`),
  ]
  expect(some.subsetSize).toEqual({ items: wanted.length, all: rows.length, views: 1 })
  expect(some.configs.map(({ cells, groups }) => ({ cells, groups }))).toEqual(
    Array.from({ length: 2 }, () => ({ cells: wanted.length, groups: wanted.length })),
  )
  expect(new Set(some.levels.map(({ x }) => x))).toEqual(new Set(distances.slice(1)))
  expect(some.dearest.map(({ item }) => item).sort()).toEqual(wanted.map(({ item }) => item).sort())
  const width = ({ outcomes }: api.TokensDocument) => outcomes.map(({ mean }) => mean.high - mean.low)
  for (const [i, one] of width(looked).entries()) expect(one).toBeGreaterThanOrEqual(width(some)[i] ?? 0)
  expect((await tokensOf('task=recoglab/comparison')).subsetSize).toBeNull()

  const models = Array.from({ length: 15 }, (_, i) => ({ model: 'baseline:gold', name: `model ${i}` }))
  const items = ['recoglab/comparison', 'recoglab/families'].map((task) => ({ task, count: 6 }))
  await (await openLab()).run({ experiment: { name: 'two tasks', items, models }, out: join(folder, 'two') })
  const { folders } = await get(api.folders, '/api/folders')
  const two = folders.find((place) => place.kind === 'run' && place.name === 'two tasks')?.id
  for (const { task } of items) {
    const own = (await get(api.itemsPage, `/api/runs/${two}/items?${new URLSearchParams({ task })}`)).rows[0]?.features
    const others = (await get(api.itemsPage, `/api/runs/${two}/items`)).rows.filter((row) => row.task !== task)
    const x = Object.keys(own ?? {}).find((name) => !others.some(({ features }) => name in features)) ?? ''
    const query = new URLSearchParams({ task, x })
    const { cells } = await get(api.byFeature, `/api/runs/${two}/by-feature?${query}`)
    expect(cells.reduce((sum, { share }) => sum + share.n, 0)).toBe(6 * api.MODELS_SHOWN)
  }
  rmSync(join(folder, 'two'), { recursive: true })
})

test('a run of which all is measured has its means on the overview', async () => {
  const scored = await scoredFolder()
  const other = viewApp({ paths: [scored], token, assets: new Map(), runs })
  const headers = { ...host, authorization: `Bearer ${token}` }
  const asked = async (path: string): Promise<unknown> =>
    (await other.request(`http://127.0.0.1:7000${path}`, { headers })).json()
  const { folders } = api.folders.parse(await asked('/api/folders'))
  const { tables } = api.overview.parse(await asked(`/api/runs/${folders[0]?.id}/overview`))
  expect(tables.map(({ id }) => id)).toContain('core/measures')
  const outline = api.outline.parse(await asked(`/api/runs/${folders[0]?.id}/outline`))
  expect(outline.parsers).toEqual([])
  rmSync(scored, { recursive: true })
})

test('what a run asked is told without a report, with the parsers of the overview', async () => {
  const id = await runId()
  const outline = await get(api.outline, `/api/runs/${id}/outline`)
  const { run, parsers } = await get(api.overview, `/api/runs/${id}/overview`)
  expect(outline).toMatchObject({ run, parsers })
  expect(outline.features.length).toBeGreaterThan(3)
  // As the task says of its own features: the distance makes its items hard, the answer does not.
  expect(outline.features.filter(({ hard }) => hard.length > 0).map(({ name }) => name)).toContain('distance')
  expect(outline.features.find(({ name }) => name === 'label')?.hard).toEqual([])
  expect(await ask(`/api/runs/${id}/outline?parser=none`, { authorization: `Bearer ${token}` })).toMatchObject({
    status: 400,
  })
})

test.each([
  ['items?task=toy/nope', /no task "toy\/nope"\. Expected one of: recoglab\/comparison$/u],
  ['tokens?task=nope', /no task "nope"/u],
  ['by-feature?x=distance&task=nope', /no task "nope"/u],
  ['items?outcome=right&model=baseline:oracel', /no model "baseline:oracel".*baseline:oracle/u],
  ['compare?a=baseline:oracle&b=nobody', /no model "nobody"/u],
  ['items?outcome=strange', /outcome: expected one of right, wrong.*got "strange"/u],
  [`items?text=${'x'.repeat(300)}`, /text: expected a text of at most 200 characters/u],
  ['items?feature=distance', /feature: expected name=value, name>=number or name<=number/u],
])('%s: what a run does not have is no finding, and no filter is told in words', async (path, words) => {
  const answered = await ask(`/api/runs/${await runId()}/${path}`, { authorization: `Bearer ${token}` })
  expect(answered.status).toBe(400)
  expect(api.viewError.parse(await answered.json()).message).toMatch(words)
})

test('of very many models no table of all pairs is made, and the overview says where two are compared', async () => {
  const models = Array.from({ length: 61 }, (_, i) => ({ model: 'baseline:random', name: `model ${i}` }))
  const items = [{ task: 'recoglab/comparison', preset: 'people', count: 8 }]
  await (await openLab()).run({ experiment: { name: 'many', items, models }, out: join(folder, 'many') })
  const { folders } = await get(api.folders, '/api/folders')
  const many = folders.find((place) => place.kind === 'run' && place.name === 'many')?.id
  const { tables, skipped } = await get(api.overview, `/api/runs/${many}/overview`)
  expect(tables.map(({ id }) => id)).not.toContain('core/paired')
  expect(tables.find(({ id }) => id === 'core/accuracy')?.rows).toHaveLength(61)
  expect(skipped[0]).toMatchObject({ id: 'core/paired', reason: expect.stringContaining('"compare"') })
  // Pages that draw models draw so many of them at once, each in one batch.
  const batches = Array.from({ length: Math.ceil(61 / api.MODELS_SHOWN) }, (_, batch) => batch)
  const drawn = async (batch: number) => {
    const asked = `x=distance&models=${batch}`
    const surface = await get(api.byFeature, `/api/runs/${many}/by-feature?${asked}`)
    const tokens = await get(api.tokensDocument, `/api/runs/${many}/tokens?${asked}`)
    const names = new Set(surface.cells.map(({ model }) => model))
    for (const told of [tokens.levels, tokens.outcomes, tokens.configs, tokens.dearest.flatMap((one) => one.models)])
      expect(new Set(told.map(({ model }) => model))).toEqual(names)
    return [...names]
  }
  const told = (await Promise.all(batches.map(drawn))).flat()
  expect(told.sort()).toEqual(models.map(({ name }) => name).sort())
  for (const page of ['by-feature?x=distance&', 'tokens?'])
    expect((await ask(`/api/runs/${many}/${page}models=1.5`, { authorization: `Bearer ${token}` })).status).toBe(400)
  rmSync(join(folder, 'many'), { recursive: true })
})

test('an audit that cannot be read is not taken for none', async () => {
  const { folders } = await get(api.folders, '/api/folders')
  const id = folders.find(({ kind }) => kind === 'dataset')?.id
  expect((await get(api.datasetDocument, `/api/datasets/${id}`)).audit).toBeNull()
  writeFileSync(join(folder, 'set', 'audit.json'), '{"a":')
  expect((await get(api.datasetDocument, `/api/datasets/${id}`)).audit).toBe(false)
  rmSync(join(folder, 'set', 'audit.json'))
})

test('items come one a row, with what each model made of them', async () => {
  const page = await get(api.itemsPage, `/api/runs/${await runId()}/items`)
  expect(page).toMatchObject({ total: 12, all: 12, offset: 0 })
  expect(page.rows).toHaveLength(12)
  for (const { tallies } of page.rows) {
    expect(tallies.map(({ model }) => model).sort()).toEqual(['baseline:oracle', 'baseline:random'])
    expect(tallies.find(({ model }) => model === 'baseline:oracle')).toMatchObject({ samples: 1, right: 1 })
  }
})

test('filters agree with counting by hand', async () => {
  const id = await runId()
  const { rows } = await get(api.itemsPage, `/api/runs/${id}/items`)
  const wrong = rows.filter(({ tallies }) =>
    tallies.some(({ model, wrong: n }) => model === 'baseline:random' && n > 0),
  )
  const by = (query: string) => get(api.itemsPage, `/api/runs/${id}/items?${query}`)
  const random = encodeURIComponent('baseline:random')
  const oracle = encodeURIComponent('baseline:oracle')
  expect((await by(`model=${random}&outcome=wrong`)).rows.map(({ item }) => item)).toEqual(
    wrong.map(({ item }) => item),
  )
  expect((await by(`a=${oracle}&b=${random}&pair=onlyA`)).total).toBe(wrong.length)
  expect((await by(`a=${oracle}&b=${random}&pair=onlyB`)).total).toBe(0)
  expect((await by(`a=${oracle}&b=${random}&pair=both`)).total).toBe(12 - wrong.length)
  const [name, value] = Object.entries(rows[0]?.features ?? {}).find(([, one]) => typeof one === 'number') ?? []
  const expected = rows.filter(({ features }) => features[name ?? ''] === value).length
  expect((await by(`feature=${name}=${value}`)).total).toBe(expected)
  expect((await by('offset=10')).rows).toHaveLength(2)
})

test('a search finds what a model said, and only that', async () => {
  const id = await runId()
  const { rows } = await get(api.itemsPage, `/api/runs/${id}/items`)
  const one = rows[0]?.item ?? ''
  const { responses } = await get(api.itemDocument, `/api/runs/${id}/item?id=${encodeURIComponent(one)}`)
  const said = responses[0]?.text?.text ?? ''
  const found = await get(api.itemsPage, `/api/runs/${id}/items?text=${encodeURIComponent(said.toUpperCase())}`)
  expect(found.rows.map(({ item }) => item)).toContain(one)
  expect((await get(api.itemsPage, `/api/runs/${id}/items?text=nobody-says-this`)).total).toBe(0)
})

test.each([
  'feature=nothing%3D1',
  'feature=x%22%29%3B+COPY+rows+TO+%27x%27%3D1',
  'outcome=%27%3B+DROP',
  'parser=strict%22+OR+1%3D1',
  'offset=-1',
  'offset=1e99',
])('a filter that is none is told, and reaches no database: %s', async (query) => {
  const response = await ask(`/api/runs/${await runId()}/items?${query}`, { authorization: `Bearer ${token}` })
  expect(response.status).toBe(400)
  expect(api.viewError.parse(await response.json()).message).not.toMatch(/SELECT|Binder|Parser Error/)
})

test('values of a filter are values: quotes and semicolons find nothing and break nothing', async () => {
  const evil = encodeURIComponent(`'; DROP VIEW rows; --"`)
  const id = await runId()
  for (const query of [`text=${evil}`, `config=${evil}`, `style=${evil}`])
    expect((await get(api.itemsPage, `/api/runs/${id}/items?${query}`)).total).toBe(0)
  expect((await get(api.itemsPage, `/api/runs/${id}/items`)).total).toBe(12)
})

test('an item has its prompt, its truth and every answer with the place it was read from', async () => {
  const id = await runId()
  const { rows } = await get(api.itemsPage, `/api/runs/${id}/items`)
  const item = await get(api.itemDocument, `/api/runs/${id}/item?id=${encodeURIComponent(rows[3]?.item ?? '')}`)
  expect(item.before).toBe(rows[2]?.item)
  expect(item.after).toBe(rows[4]?.item)
  expect(item.prompts[0]?.request).toMatchObject({ kind: 'chat' })
  expect(item.responses).toHaveLength(2)
  expect(Object.keys(item.meanings)).toEqual(expect.arrayContaining(Object.keys(item.features)))
  for (const { text, outcome } of item.responses) {
    if (outcome?.kind !== 'answered') throw new Error('not answered')
    const { strict } = outcome.results
    if (strict?.kind !== 'graded') throw new Error('not graded')
    expect(strict.span[1]).toBeGreaterThan(strict.span[0])
    expect(text?.text.slice(...strict.span)).toBeTruthy()
  }
})

test('a surface counts every graded answer once', async () => {
  const id = await runId()
  const { features } = await get(api.outline, `/api/runs/${id}/outline`)
  const numeric = features.find(({ type, levels }) => type === 'number' && levels.length > 1) ?? features[0]
  const { cells } = await get(api.byFeature, `/api/runs/${id}/by-feature?x=${numeric?.name}`)
  const n = cells.filter(({ model }) => model === 'baseline:oracle').reduce((sum, { share }) => sum + share.n, 0)
  expect(n).toBe(12)
  expect(cells.filter(({ model }) => model === 'baseline:oracle').every(({ share }) => share.value === 1)).toBe(true)
})

test('a comparison has the numbers of the library', async () => {
  const id = await runId()
  const [a, b] = ['baseline:oracle', 'baseline:random']
  const of = (first: string, second: string) =>
    get(api.compareDocument, `/api/runs/${id}/compare?${new URLSearchParams({ a: first, b: second })}`)
  const { found } = await of(a, b)
  const library = await (await openLab()).compare([join(folder, 'run')], { models: [a, b] })
  expect(found?.overall.difference).toEqual(library.overall.difference)
  expect(found?.overall).toMatchObject({ accuracyA: 1, p: library.overall.p, onlyB: 0, onlyA: library.overall.onlyA })
  expect(found?.evidence).toMatchObject({ a: library.sequential.a, b: library.sequential.b })
  expect(found?.evidence.path.at(-1)).toMatchObject({ units: library.sequential.units, a: library.sequential.a })
  expect((await of(b, a)).found?.overall.difference.value).toBe(0 - (found?.overall.difference.value ?? 0))
})

test('a cut counts what its filter leaves, and its intervals grow with the views', async () => {
  const id = await runId()
  const { rows } = await get(api.itemsPage, `/api/runs/${id}/items`)
  const values = [...new Set(rows.map(({ features }) => Number(features['distance'])))].sort((a, b) => a - b)
  const [low = 0, high = 0] = values
  const wanted = rows.filter(({ features }) => [low, high].includes(Number(features['distance'])))
  const query = `feature=distance%3D${low}&feature=distance%3D${high}`
  expect((await get(api.itemsPage, `/api/runs/${id}/items?${query}`)).total).toBe(wanted.length)
  const [once, ten] = [
    await get(api.subsetAndRest, `/api/runs/${id}/subset-and-rest?${query}`),
    await get(api.subsetAndRest, `/api/runs/${id}/subset-and-rest?${query}&views=10`),
  ]
  const random = (cut: api.SubsetAndRest) => cut.models.find(({ model }) => model === 'baseline:random')
  const right = wanted.filter(({ tallies }) => tallies.some((one) => one.model === 'baseline:random' && one.right > 0))
  expect(random(once)?.inside?.share).toMatchObject({ n: wanted.length, value: right.length / wanted.length })
  expect(random(once)?.outside?.share.n).toBe(rows.length - wanted.length)
  expect(random(ten)?.inside?.share.low).toBeLessThan(random(once)?.inside?.share.low ?? 0)
  for (const bad of [
    'outcome=wrong',
    '',
    `${query}&views=0`,
    `${query}&views=x`,
    'feature=nothing%3D1',
    `${query}&views=9007199254740991`,
  ])
    expect((await ask(`/api/runs/${id}/subset-and-rest?${bad}`, { authorization: `Bearer ${token}` })).status).toBe(400)
})

test('a dataset shows its strata, files and root', async () => {
  const { folders } = await get(api.folders, '/api/folders')
  const id = folders.find(({ kind }) => kind === 'dataset')?.id
  const set = await get(api.datasetDocument, `/api/datasets/${id}`)
  expect(set.dataset).toMatchObject({ task: 'recoglab/comparison', count: 12 })
  expect(set.strata.filled.reduce((sum, { count }) => sum + count, 0)).toBe(12)
})

test('what is not there is told with what to do next', async () => {
  const response = await ask('/api/runs/none/overview', { authorization: `Bearer ${token}` })
  expect(response.status).toBe(400)
  expect(api.viewError.parse(await response.json())).toMatchObject({
    message: 'no run none is among the folders that are viewed',
  })
})

test('no query of a page is an error of the server', async () => {
  const id = await runId()
  const pages = 'overview outline items item by-feature subset-and-rest compare tokens loglikelihood'.split(' ')
  const names =
    'a among amount b by feature item views measure model offset outcome pair parser sort task text with x y'.split(' ')
  const hostile = [
    '',
    '0',
    '-1',
    '1e999',
    'NaN',
    '__proto__',
    "'; DROP TABLE rows; --",
    '\u0000',
    '9'.repeat(400),
    '😀\u202e',
  ]
  const known =
    'strict lenient baseline:gold baseline:random relic/recognize length length>3 length>= distance>=2 seconds<=1e9 split wrong'.split(
      ' ',
    )
  const query = fc.array(
    fc.tuple(fc.constantFrom(...names), fc.oneof(fc.constantFrom(...hostile, ...known), fc.string())),
    {
      maxLength: 4,
    },
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...pages), query, async (page, pairs) => {
      const path = `/api/runs/${id}/${page}?${new URLSearchParams(pairs)}`
      const { status } = await ask(path, { authorization: `Bearer ${token}` })
      expect([200, 400, 404], path).toContain(status)
    }),
    { numRuns: sample({ nightly: 3000, otherwise: 400 }), endOnFailure: true },
  )
})
