import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeExperiment } from '../../src/extras/exchange/jspsych/experiment.ts'
import type { ExportQuestion } from '../../src/extras/exchange/line.ts'
import { folderSink } from '../../src/lab/exports.ts'
import { scratch } from '../e2e/cli/cli.ts'
import { touchstone } from '../e2e/cli/here.ts'
import { complaintsOf, connect } from './chromium.ts'

const folder = scratch()
let browser: Browser
beforeAll(async () => {
  browser = await connect()
})
afterAll(async () => {
  await browser.close()
  folder.remove()
})

const require = createRequire(import.meta.url)
/** The folders of the packages that the page loads, as they are installed. */
const packages: ReadonlyMap<string, string> = new Map(
  [
    require.resolve('jspsych'),
    require.resolve('@jspsych/plugin-html-button-response'),
    require.resolve('@jspsych/plugin-survey-text'),
  ].map((main) => {
    const root = dirname(dirname(main))
    const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>
    return [`${name}@${version}`, root] as const
  }),
)

/** A page to which the network is unpkg alone, answered from the packages installed: what its hashes say must come. */
async function participant(): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const page = await browser.newPage()
  const complaints = complaintsOf(page)
  await page.route(/^https:/u, (route) => {
    const { pathname } = new URL(route.request().url())
    const [, name = '', path = ''] = /^\/(@?[^@]+@[^/]+)\/(.*)$/u.exec(pathname) ?? []
    const root = packages.get(name)
    if (root === undefined) return route.abort()
    const body = readFileSync(join(root, path.split('/').join(sep)))
    const type = path.endsWith('.css') ? 'text/css' : 'text/javascript'
    return route.fulfill({ body, headers: { 'access-control-allow-origin': '*', 'content-type': type } })
  })
  return { page, complaints }
}

/** Answers everything that is asked; checks as they say, or not. */
async function answerAll(page: Page, attentive: boolean, typed: string): Promise<void> {
  await page.getByRole('button', { name: 'I agree' }).click()
  const [buttons, field] = [page.locator('#jspsych-html-button-response-btngroup button'), page.locator('#input-0')]
  const ended = page.locator('#json, #saved')
  for (;;) {
    await buttons.or(field).or(ended).first().waitFor()
    if ((await ended.count()) > 0) return
    const text = (await page.locator('pre.question').textContent()) ?? ''
    const progress = await page.locator('#jspsych-progressbar-inner').getAttribute('style')
    const word = /checks that you are reading\. Choose the word “(\w+)”/u.exec(text)?.[1]
    if (word !== undefined) {
      const right = buttons.filter({ hasText: word })
      await (attentive ? right : buttons.filter({ hasNotText: word })).first().click()
    } else if ((await field.count()) > 0) {
      await field.fill(typed)
      await page.locator('#jspsych-survey-text-next').click()
    } else await page.keyboard.press('1')
    await expect
      .poll(async () => {
        if ((await ended.count()) > 0) return 'ended'
        return page.locator('#jspsych-progressbar-inner').getAttribute('style')
      })
      .not.toBe(progress)
  }
}

async function saved(page: Page, kind: 'csv' | 'json'): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`#${kind}`).click()])
  return text(await download.createReadStream())
}

test('people answer an exported set in the real jsPsych, and stand in the run beside models', async () => {
  const set = folder.path('set')
  const made = [
    'generate',
    'recoglab/syllogism',
    '--preset',
    'true-premises-3',
    '--count',
    '8',
    '--format',
    'jsonl',
    '--out',
    set,
  ]
  expect(await touchstone(made)).toMatchObject({ code: 0 })
  const out = folder.path('people')
  expect(await touchstone(['export', set, '--to', 'jspsych', '--out', out, '--items-per-person', '4'])).toMatchObject({
    code: 0,
  })
  // People have buttons, and are not asked for a line of a form.
  expect(readFileSync(join(out, 'trials.js'), 'utf8')).toMatch(/"style":"bare"(?![\s\S]*Answer:)/u)
  const address = (name: string) => `${pathToFileURL(join(out, 'index.html')).href}?participant=${name}&list=0`

  const told: string[] = []
  for (const [name, attentive] of [
    ['P1', true],
    ['P2', false],
    ['P3', true],
  ] as const) {
    const { page, complaints } = await participant()
    await page.goto(address(name))
    await answerAll(page, attentive, 'Yes')
    told.push(await saved(page, 'json'))
    if (name === 'P1') expect(await saved(page, 'csv')).toContain('"P1"')
    expect(complaints).toEqual([])
    await page.close()
  }
  const joined = folder.path('people.jsonl')
  writeFileSync(joined, `${told.join('\n')}\n`)
  const run = folder.path('run')
  const taken = await touchstone(['import', 'responses', joined, '--from', 'jspsych', '--out', run, '--items', set])
  expect(taken).toMatchObject({ code: 0 })
  expect(taken.stdout).toMatch(/P2 is excluded: failed 1 of 1 attention checks/u)
  expect(await touchstone(['report', run])).toMatchObject({ code: 0 })
  expect(readFileSync(join(run, 'report', 'index.html'), 'utf8')).toContain('human')
})

test('a server of its own gives the scripts and takes the answers; where it takes none, they are saved by hand', async () => {
  const set = folder.path('served-set')
  const made = [
    'generate',
    'recoglab/syllogism',
    '--preset',
    'true-premises-3',
    '--count',
    '4',
    '--format',
    'jsonl',
    '--out',
    set,
  ]
  expect(await touchstone(made)).toMatchObject({ code: 0 })
  const out = folder.path('served')
  const exported = ['export', set, '--to', 'jspsych', '--out', out, '--items-per-person', '2', '--jspsych-dir', 'lib/']
  expect(await touchstone(exported)).toMatchObject({ code: 0 })
  for (const [name, root] of packages) cpSync(root, join(out, 'lib', name), { recursive: true, dereference: true })
  const settings = join(out, 'settings.js')
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('saveTo: null', `saveTo: '/answers'`))

  const sent: string[] = []
  let full = false
  await using server = createServer((request, response) => {
    if (request.method === 'POST') {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        if (!full) sent.push(Buffer.concat(parts).toString())
        response.writeHead(full ? 507 : 204).end()
      })
      return
    }
    const path = new URL(request.url ?? '/', 'http://here').pathname.slice(1)
    const type = { html: 'text/html', css: 'text/css', js: 'text/javascript' }[path.split('.').at(-1) ?? '']
    if (type === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(readFileSync(join(out, path)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`

  const answering = async (name: string) => {
    const page = await browser.newPage()
    const beyond: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(new URL(home).origin)) beyond.push(request.url())
    })
    await page.goto(`${home}?participant=${name}&list=0`)
    await answerAll(page, true, 'Yes')
    expect(beyond).toEqual([])
    return page
  }
  const taken = await answering('P1')
  expect(await taken.locator('#saved').textContent()).toBe('Your answers are saved.')
  await taken.close()
  full = true
  const refused = await answering('P2')
  const byHand = await saved(refused, 'json')
  await refused.close()

  const joined = folder.path('served.jsonl')
  writeFileSync(joined, `${[...sent, byHand].join('\n')}\n`)
  const run = folder.path('served-run')
  const imported = await touchstone(['import', 'responses', joined, '--from', 'jspsych', '--out', run, '--items', set])
  expect(imported).toMatchObject({ code: 0 })
  expect(imported.stdout).not.toMatch(/left out/u)
  expect(sent).toHaveLength(1)
})

const asked = (prompt: string, choices: readonly string[] | null, at: number): ExportQuestion => ({
  item: `t@1/test/${at}/${prompt}`,
  task: 't/t',
  config: 'c',
  style: 's',
  group: 'g',
  draw: String(at),
  stratum: 0,
  request: { kind: 'chat', messages: [{ role: 'user', content: prompt }] },
  gold: null,
  choices,
  right: () => [],
  features: {},
  solution: null,
})
const ATTACK = `</pre></script><img src=x onerror="globalThis.attacked=1"><script>globalThis.attacked = 1</script> & "quoted" 'too' \u2028 %trial%`

test('hostile prompts, choices and names are shown as text', async () => {
  const sink = await folderSink(folder.path('hostile'))
  async function* questions() {
    yield [asked(ATTACK, [ATTACK, 'No'], 0), asked(ATTACK, null, 1)]
  }
  await writeExperiment(questions(), sink, {
    name: ATTACK,
    split: 'test',
    version: '0',
    created: '',
    model: 'm',
    maxTokens: 1,
    detail: 'full',
    perPerson: null,
    scripts: null,
  })
  const { page, complaints } = await participant()
  const index = pathToFileURL(join(folder.path('hostile'), 'index.html')).href
  await page.goto(`${index}?list=0&participant=${encodeURIComponent(ATTACK)}`)
  await answerAll(page, true, ATTACK)
  const trials = JSON.parse(await saved(page, 'json')) as readonly Record<string, unknown>[]
  const said = trials.filter(({ part }) => part === 'question').map(({ text }) => text)
  expect(said).toEqual([ATTACK, ATTACK])
  expect(await page.evaluate(() => (globalThis as { attacked?: number }).attacked)).toBeUndefined()
  expect(await page.locator('img').count()).toBe(0)
  expect(complaints).toEqual([])
  await page.close()
})
