import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLab } from '../../../src/index.ts'
import { loadEnvironment } from '../../../src/lab/environment.ts'
import { createRun, executeRun, parseExperiment } from '../../../src/runner/index.ts'
import { barriers } from './axe.ts'
import { type OpenView, openView } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-empty-'))
const items = [{ task: 'recoglab/comparison', preset: 'people', count: 4 }]
let view: OpenView
beforeAll(async () => {
  const context = await (await loadEnvironment([], {}, [])).runContext()
  for (const name of ['planned', 'without items']) {
    const experiment = parseExperiment({ name, items, models: ['baseline:oracle', 'baseline:random'] })
    await using run = await createRun({ dir: join(folder, name), experiment }, context)
    if (name === 'planned') await executeRun(run, { planOnly: true })
  }
  const silent = join(folder, 'silent.jsonl')
  writeFileSync(silent, '\n')
  const models = ['a', 'b'].map((name) => ({ model: `replay:${silent}`, name }))
  const lab = await openLab({ env: {} })
  await lab.run({ experiment: { name: 'failed', items, models }, out: join(folder, 'failed') })
  const many = { task: 'recoglab/comparison', preset: 'people', count: 300 }
  const rule = { until: { rule: 'baseline:oracle>baseline:random' } }
  const two = ['baseline:oracle', 'baseline:random']
  await lab.run({ experiment: { name: 'knows', items: [many], models: two, ...rule }, out: join(folder, 'knows') })
  const along = { adapt: { parameter: 'distance', maxItems: 20 } }
  const far = { task: 'recoglab/comparison', preset: 'symbolic-distance', count: 300 }
  await lab.run({ experiment: { name: 'along', items: [far], models: two, ...along }, out: join(folder, 'along') })
  view = await openView([folder])
  await view.page.locator('.card h2 a').nth(4).waitFor()
})
afterAll(async () => {
  await view.close()
  rmSync(folder, { recursive: true })
})

test.each([
  ['planned', /No responses yet, and no process works on the run\. Continue it: touchstone resume \/.+/u],
  ['without items', /No calls are planned yet, and no process works on the run\. Continue it: touchstone resume/u],
  ['failed', /All calls failed; the overview shows the errors\. To repeat them: touchstone retry-failed/u],
])('a run that is %s says so on every page, and what to do', async (name, next) => {
  const { page } = view
  await view.go('/')
  const link = page.locator('.card h2 a', { hasText: new RegExp(`^${name}$`, 'u') })
  const run = ((await link.getAttribute('href')) ?? '').replace('#', '')
  const choice = '?feature=distance>=1'
  for (const at of [
    '',
    '/by-feature',
    '/compare',
    '/items',
    '/tokens',
    '/annotate',
    choice,
    `/items${choice}`,
    `/compare${choice}`,
  ]) {
    await view.go(`${run}${at}`)
    await page.locator('main').getByText(next).waitFor()
    expect(await page.locator('.problem').count()).toBe(0)
  }
  await view.go(`${run}/item`)
  await page.getByText('The address names no item').waitFor()
  for (const at of ['', '/items', '/annotate']) {
    await view.go(`${run}${at}`)
    expect(await barriers(page)).toEqual([])
  }
  expect(view.complaints).toEqual([])
})

test.each([
  [
    'knows',
    /of 600 done · stopped early: baseline:oracle > baseline:random after \d+ groups, \d interim analys[ei]s$/mu,
  ],
  ['along', /of 600 done · stopped, no more items are needed$/mu],
])('a run that ended before it had asked all says why, and asks nobody to go on: %s', async (name, why) => {
  await view.go('/')
  const card = view.page.locator('.card', { has: view.page.getByRole('link', { name, exact: true }) })
  expect(await card.innerText()).toMatch(why)
})
