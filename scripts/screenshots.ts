import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { openLab } from '../src/index.ts'
import { serveView } from '../src/view/server/serve.ts'
import { findBrowser, howToInstall } from './testing/browser.ts'
import { buildView } from './view/build.ts'

/**
 * `npm run screenshots [-- --out FOLDER --count N]`: every page of the view, of one run over ten tasks with six models: the gold answers
 * and five readers who know so many of them, who think the longer the prompt is and mistake the more the less skill they have. Beside it a
 * dataset with its audit, and strings of formal languages that baselines score.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(import.meta.dirname, '../docs/images') },
    count: { type: 'string', default: '120' },
  },
})
const count = Number(values.count)
const folder = mkdtempSync(join(tmpdir(), 'touchstone-screenshots-'))
const lab = await openLab()

const items = [
  { task: 'relic/recognize', preset: 'relic-demo' },
  { task: 'recoglab/comparison', preset: 'symbolic-distance' },
  { task: 'recoglab/social', preset: 'oldest-16' },
  { task: 'recoglab/syllogism', preset: 'chain' },
  { task: 'recoglab/families', preset: 'size' },
  { task: 'pbebench/induce', preset: 'pbebench-lite-minimal' },
  { task: 'pbebench/reorder', preset: 'pbebench-perm' },
  { task: 'proficiency/generate', preset: 'classes' },
  { task: 'clutrr/kinship', preset: 'hops-4' },
  { task: 'slr-bench/trains', preset: 'easy' },
].map((one) => {
  const size = lab.task(one.task).source(lab.task(one.task).preset(one.preset).config, { split: 'test', seed: '0' })
    .layout.size
  return { ...one, count: Math.min(count, size ?? count) }
})

/** How often each reader gives the gold answer, and how many tokens of thought a word of the prompt costs it. */
const readers = [
  { name: 'simulated-careful', skill: 0.94, thought: 6 },
  { name: 'simulated-quick', skill: 0.9, thought: 1 },
  { name: 'simulated-terse', skill: 0.72, thought: 0 },
  { name: 'simulated-rambling', skill: 0.55, thought: 9 },
  { name: 'simulated-guessing', skill: 0.2, thought: 3 },
]

interface Asked {
  readonly item: string
  readonly style: string
  readonly words: number
  readonly gold: string
}

async function tenTasks(out: string): Promise<void> {
  const plain = join(folder, 'plain')
  const baselines = ['baseline:gold']
  await lab.run({ experiment: { items, models: baselines }, out: plain })
  const asked = new Map<string, readonly Asked[]>()
  const { calls } = await lab.responses(plain)
  for (const { item, style, request, response } of calls) {
    const words = JSON.stringify(request).split(' ').length
    asked.set(item.task, [...(asked.get(item.task) ?? []), { item: item.id, style, words, gold: response?.text ?? '' }])
  }
  const models = readers.map(({ name, skill, thought }) => {
    const lines = [...asked.values()].flatMap((same) =>
      same.map(({ item, style, words, gold }) => {
        // Who does not know gives the answer to some other item of the task.
        const guess = same[Math.floor(shareOf(`guess ${name} ${item}`) * same.length)]?.gold ?? ''
        const text = shareOf(`${name} ${item}`) < skill ? gold : guess
        const reasoningTokens = Math.round(words * thought * (0.5 + shareOf(`thought ${name} ${item}`)))
        const usage = { inputTokens: words, outputTokens: reasoningTokens + text.split(' ').length, reasoningTokens }
        return JSON.stringify({ item, style, model: name, sample: 0, text, usage })
      }),
    )
    const file = join(folder, `${name}.jsonl`)
    writeFileSync(file, `${lines.join('\n')}\n`)
    return { model: `replay:${file}`, name }
  })
  await lab.run({ experiment: { name: 'Ten tasks', items, models: [...baselines, ...models] }, out })
}

/** A number in [0, 1) that belongs to a name. */
const shareOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE(0) / 0x1_0000_0000

const runs = join(folder, 'runs')
await tenTasks(join(runs, 'ten-tasks'))
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
  ignoreDefaultArgs: ['--hide-scrollbars'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(served.url)
  const run = await linkOf(page, '.card h2 a:has-text("Ten tasks")')
  const strings = await linkOf(page, '.card h2 a:has-text("Scored strings")')
  const set = await linkOf(page, '.folders a')
  const pair = 'a=simulated-careful&b=simulated-terse'
  await shoot(page, 'runs', '/')
  await shoot(page, 'overview', run)
  const stretch = 'task=pbebench/induce&x=length&feature=length>=4&feature=length<=5'
  await shoot(page, 'by-feature', `${run}/by-feature?${stretch}`)
  await shoot(page, 'compare', `${run}/compare?${pair}`)
  const levels = page.locator('summary', { hasText: 'By feature' })
  await levels.click()
  await levels.evaluate((summary) => summary.scrollIntoView())
  await shoot(page, 'differences', null)
  await shoot(page, 'items', `${run}/items`)
  await page.locator('a.item').nth(2).click()
  await shoot(page, 'item', null)
  await shoot(page, 'tokens', `${run}/tokens`)
  await shoot(page, 'loglikelihood', `${strings}/tokens`)
  await shoot(page, 'annotate', `${run}/annotate`)
  await shoot(page, 'dataset', `${set}?row=7`)
  await shoot(page, 'playground', '/playground')
  await page.evaluate(() => {
    location.hash = '/playground?task=recoglab/social&preset=next-hop-tree-10&set=people%3D6'
  })
  await shoot(page, 'parameters', null)
} finally {
  await browser.close()
  await served.close()
  rmSync(folder, { recursive: true })
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
  const path = join(values.out, `view-${name}.png`)
  await page.screenshot({ path })
  process.stdout.write(`${path}\n`)
}
