import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { openLab } from '../src/index.ts'
import { serveView } from '../src/view/server/serve.ts'
import { findBrowser, howToInstall } from './testing/browser.ts'
import { buildView } from './view/build.ts'

/**
 * `npm run screenshots [-- --out FOLDER --count N --all]`: the report and every page of the view, of one run over seven tasks with two
 * invented models, who give the gold answer so often and else that of another item, or no answer. Beside it a dataset with its audit, and
 * strings of formal languages that baselines score. With `--all` each page is taken at 1280 and 390 pixels, light and dark, and what the
 * command line prints of the run stands in `terminal.txt`.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(import.meta.dirname, '../docs/images') },
    count: { type: 'string', default: '100' },
    all: { type: 'boolean', default: false },
  },
})
const count = Number(values.count)
const out = resolve(values.out)
/** Widths and themes; the first is that of the documentation. */
const EVERY = ([1280, 390] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, height: width === 1280 ? 800 : 844, colorScheme })),
)
const folder = mkdtempSync(join(tmpdir(), 'touchstone-screenshots-'))
const lab = await openLab()

/** How often each model gives the gold answer, on each task. */
const tasks = [
  { task: 'relic/recognize', preset: 'relic-demo', skill: [0.85, 0.72] },
  { task: 'proficiency/generate', preset: 'classes', skill: [0.6, 0.55] },
  { task: 'pbebench/induce', preset: 'pbebench-lite-minimal', skill: [0.5, 0.12] },
  { task: 'clutrr/kinship', preset: 'hops-4', skill: [0.75, 0.42] },
  { task: 'slr-bench/trains', preset: 'easy', skill: [0.6, 0.25] },
  { task: 'recoglab/comparison', preset: 'symbolic-distance', skill: [0.86, 0.95] },
  { task: 'recoglab/syllogism', preset: 'chain', skill: [0.75, 0.6] },
] as const
const items = tasks.map(({ task, preset }) => {
  const { size } = lab.task(task).source(lab.task(task).preset(preset).config, { split: 'test', seed: '0' }).layout
  return { task, preset, count: Math.min(count, size ?? count) }
})

/** The models, and how many tokens of thought a word of the prompt costs them. */
const readers = [
  { name: 'gpt-x', thought: 2 },
  { name: 'qwen-y-32b', thought: 4 },
] as const

interface Asked {
  readonly task: string
  readonly item: string
  readonly style: string
  readonly words: number
  readonly gold: string
}

async function sevenTasks(to: string): Promise<void> {
  const plain = join(folder, 'plain')
  await lab.run({ experiment: { items, models: ['baseline:gold'] }, out: plain })
  const { calls } = await lab.responses(plain)
  const asked = calls.map(({ item, style, request, response }): Asked => {
    const words = JSON.stringify(request).split(' ').length
    return { task: item.task, item: item.id, style, words, gold: response?.text ?? '' }
  })
  const models = readers.map(({ name, thought }, reader) => {
    const lines = asked.map(({ task, item, style, words, gold }) => {
      const skill = tasks.find((one) => one.task === task)?.skill[reader] ?? 0
      const same = asked.filter((one) => one.task === task)
      const guess = same[Math.floor(shareOf(`guess ${name} ${item}`) * same.length)]?.gold ?? ''
      const answer = shareOf(`${name} ${item}`) < skill ? gold : guess
      const text = shareOf(`no answer ${name} ${item}`) < 0.03 ? 'I am not sure what follows.' : answer
      const reasoningTokens = Math.round(words * thought * (0.5 + shareOf(`thought ${name} ${item}`)))
      const usage = { inputTokens: words, outputTokens: reasoningTokens + text.split(' ').length, reasoningTokens }
      return JSON.stringify({ item, style, model: name, sample: 0, text, usage })
    })
    const file = join(folder, `${name}.jsonl`)
    writeFileSync(file, `${lines.join('\n')}\n`)
    return { model: `replay:${file}`, name }
  })
  await lab.run({ experiment: { name: 'Seven tasks', items, models }, out: to })
}

/** A number in [0, 1) that belongs to a name. */
const shareOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE(0) / 0x1_0000_0000

const runs = join(folder, 'runs')
// The report names the run by this path.
process.chdir(folder)
const run = join('runs', 'seven-tasks')
await sevenTasks(run)
await lab.generate({ task: 'relic/recognize', preset: 'relic-demo', out: join(runs, 'grammars') })
await lab.audit(join(runs, 'grammars'))
await lab.run({
  experiment: {
    name: 'Scored strings',
    items: [
      {
        task: 'proficiency/discriminate',
        config: { languages: ['g3', 'g9'], repetitions: 1, examples: [1, 4, 16], distances: [0, 1, 3], tests: 12 },
      },
    ],
    models: ['oracle', 'ppm', 'kneser-ney:6', 'unigram'].map((name) => `baseline:${name}`),
  },
  out: join(runs, 'strings'),
})
const client = join(folder, 'client')
await buildView(client)
const executablePath = findBrowser()
if (executablePath === undefined) throw new Error(`no Chromium found: ${howToInstall}`)
const served = await serveView({ paths: [runs], port: 0, plugins: [], client })
const browser = await chromium.launch({
  executablePath,
  chromiumSandbox: process.getuid?.() !== 0,
})
try {
  const report = join(folder, 'report')
  await lab.report(run, { out: report, formats: ['html'] })
  for (const { width, height, colorScheme } of values.all ? EVERY : EVERY.slice(0, 1)) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme })
    const suffix = values.all ? `-${width}-${colorScheme}` : ''
    await page.goto(pathToFileURL(join(report, 'index.html')).href)
    await page.screenshot({ path: join(out, `report${suffix}.png`), fullPage: values.all })
    await page.goto(served.url)
    await pages(page, (name, hash) => shoot(page, `${name}${suffix}`, hash))
    await page.close()
  }
  if (values.all) writeFileSync(join(out, 'terminal.txt'), await terminal())
} finally {
  await browser.close()
  await served.close()
  rmSync(folder, { recursive: true })
}

/** What `report` and `compare` print of the run in a terminal of 100 columns. */
async function terminal(): Promise<string> {
  const main = join(import.meta.dirname, '../src/cli/main.ts')
  const said = ['report', 'compare'].map((command) =>
    execFileSync(process.execPath, ['--conditions=touchstone-source', main, command, run], { encoding: 'utf8' }),
  )
  return said.join('\n')
}

async function pages(page: Page, take: (name: string, hash: string | null) => Promise<void>): Promise<void> {
  const seven = await linkOf(page, '.card h2 a:has-text("Seven tasks")')
  const strings = await linkOf(page, '.card h2 a:has-text("Scored strings")')
  const set = await linkOf(page, '.folders a')
  await take('runs', '/')
  await take('overview', seven)
  const range = 'task=pbebench/induce&x=length&feature=length>=4&feature=length<=5'
  await take('by-feature', `${seven}/by-feature?${range}`)
  await take('compare', `${seven}/compare?a=gpt-x&b=qwen-y-32b`)
  const levels = page.locator('summary', { hasText: 'By feature' })
  await levels.click()
  await levels.evaluate((summary) => summary.scrollIntoView())
  await take('differences', null)
  await take('items', `${seven}/items`)
  await page.locator('a.item').nth(2).click()
  await take('item', null)
  await take('tokens', `${seven}/tokens`)
  await take('loglikelihood', `${strings}/tokens`)
  await take('annotate', `${seven}/annotate`)
  await take('dataset', `${set}?row=7`)
  await take('playground', '/playground')
  await take('parameters', '/playground?task=recoglab/social&preset=next-hop-tree-10&set=people%3D6')
}

async function linkOf(page: Page, selector: string): Promise<string> {
  const link = page.locator(selector).first()
  await link.waitFor()
  return ((await link.getAttribute('href')) ?? '').replace('#', '')
}

/** @param hash - what stands behind the `#`; null: the page that is open. */
async function shoot(page: Page, name: string, hash: string | null): Promise<void> {
  if (hash !== null)
    await page.evaluate((to) => {
      location.hash = to
    }, hash)
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.waitForFunction(() => document.querySelector('.waiting') === null)
  // Proofs are checked in the page, and figures drawn after their data came.
  await page.waitForTimeout(1500)
  const path = join(out, `view-${name}.png`)
  await page.screenshot({ path, fullPage: values.all })
  process.stdout.write(`${path}\n`)
}
