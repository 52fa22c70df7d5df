import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { families } from '../../../src/tasks/index.ts'
import { touchstone } from '../../e2e/cli/here.ts'
import { complaintsOf, connect } from '../chromium.ts'
import { barriers } from './axe.ts'
import { opened, settled } from './open.ts'

const out = mkdtempSync(join(tmpdir(), 'touchstone-gallery-'))
const tasks = families.flatMap((family) => family.tasks)
let browser: Browser
let page: Page
let complaints: string[]
const asked: string[] = []

beforeAll(async () => {
  const root = join(import.meta.dirname, '../../..')
  const args = ['--conditions=touchstone-source', join(root, 'scripts/gallery.ts'), '--out', join(out, 'site')]
  const made = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(made.stderr).toBe('')
  browser = await connect()
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  complaints = complaintsOf(page)
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(pathToFileURL(join(out, 'site/index.html')).href)
})
afterAll(async () => {
  await browser.close()
  rmSync(out, { recursive: true })
})

const go = (hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to
  }, hash)

it('lists every task, from a disk', async () => {
  await page.locator('.gallery .card').first().waitFor()
  expect(await page.locator('header nav a').allInnerTexts()).toEqual(['Tasks', 'Playground'])
  expect(await page.locator('.gallery h3').allInnerTexts()).toEqual(tasks.map(({ name }) => name))
})

it.each(tasks.map(({ name }) => name))('makes items of %s, the truth proved on the page', async (name) => {
  await go(`/playground?task=${encodeURIComponent(name)}`)
  await page.getByLabel('task').and(page.locator('select')).waitFor()
  await page.locator('.seal.good').first().waitFor({ timeout: 60_000 })
  expect(await page.locator('.problem').count()).toBe(0)
})

it('changes a parameter, and shows the command that makes a set of that kind, and the one that shows this item', async () => {
  await go('/playground?task=recoglab/social&preset=next-hop-tree-10')
  await page.locator('.seal.good').waitFor()
  await page.locator('.parameters summary').click()
  await page.getByLabel('people', { exact: true }).fill('6')
  await page.getByLabel('people', { exact: true }).press('Enter')
  await page.locator('.parameter.changed').waitFor()
  expect(await page.locator('main code').first().innerText()).toMatch(
    /^touchstone generate .* --set people=6 --seed 1 /u,
  )
  await settled(page)
  await opened(page)
  await page.locator('.facts div', { hasText: /^people\s*6$/u }).waitFor()
  const [, ...words] = (await page.locator('main code').last().innerText()).split(' ')
  const { stdout } = await touchstone(words)
  expect(words).toContain('people=6')
  expect(stdout).toContain(`\n${await page.locator('section[aria-label=Question] .spoken pre').first().innerText()}\n`)
  await page.getByLabel('people', { exact: true }).fill('2')
  await page.getByLabel('people', { exact: true }).press('Enter')
  await page.locator('.problem', { hasText: 'people' }).waitFor()
  await page.getByRole('button', { name: 'back to 10' }).click()
  await page.locator('.seal.good').waitFor()
  expect((await page.locator('main code').allInnerTexts()).join(' ')).not.toContain('--set')
})

it('says commands that run, of small sets and of texts that read like something else', async () => {
  await go('/playground?task=pbebench/sound-laws')
  await page.locator('main .note', { hasText: 'There are 2 items of this kind.' }).waitFor()
  expect(await page.locator('main code').first().innerText()).not.toContain('--count')
  await go(`/playground?task=recoglab/comparison&preset=people&set=${encodeURIComponent('preamble="7"')}`)
  await page.locator('.seal.good').waitFor()
  expect(await page.locator('main code').first().innerText()).toContain(`--set 'preamble="7"' --seed`)
  const [, ...words] = (await page.locator('main code').last().innerText()).replaceAll("'", '').split(' ')
  const { code, stdout } = await touchstone(words)
  await opened(page)
  expect(code).toBe(0)
  expect(stdout).toContain(`\n${await page.locator('section[aria-label=Question] .spoken pre').first().innerText()}\n`)
})

it('shows a parameter that was set to null as null', async () => {
  await go('/playground?task=relic/recognize&preset=relic-demo&set=grammars%3Dnull')
  await page.locator('.seal.good').waitFor()
  expect(await page.getByLabel('grammars', { exact: true }).inputValue()).toBe('null')
})

it('audits fresh items, and draws what readers of short range know', async () => {
  await go('/playground?task=recoglab/comparison&preset=people')
  await page.locator('.seal.good').waitFor()
  await page.getByRole('button', { name: '300 items' }).click()
  await page.getByRole('heading', { name: /^Locality/ }).waitFor({ timeout: 90_000 })
  const probes = page.locator('[aria-label=Probes] tbody tr')
  expect(await probes.count()).toBe(12)
  expect(await probes.first().innerText()).toMatch(/\[.*\], \d+/su)
  expect(await page.locator('[aria-label=Answers] .interval').count()).toBeGreaterThan(1)
  expect(await page.locator('[aria-label="Size and difficulty"]').innerText()).toMatch(/steps of the worked solution/)
})

it('asks nothing of any server, and nothing complains', () => {
  expect(asked.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([])
  expect(complaints).toEqual([])
})

// Last, as axe asks for the style sheet, which the policy of the page forbids.
it.each(['', '/playground?task=recoglab/social&preset=next-hop-tree-10&set=people%3D6'])(
  'keeps nobody out of #%s',
  async (at) => {
    await go(at)
    await page
      .locator(at === '' ? '.gallery .card' : '.seal.good')
      .first()
      .waitFor()
    expect(await barriers(page)).toEqual([])
  },
)
