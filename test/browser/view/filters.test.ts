import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { thinkingFolder } from '../../unit/view/toy-run.ts'
import { barriers, looks } from './axe.ts'
import { type OpenView, opened, openView } from './open.ts'

let view: OpenView
let folder: string
let run: string
let lengths: readonly number[]
beforeAll(async () => {
  const made = await thinkingFolder()
  folder = made.folder
  lengths = made.thoughts.flatMap(({ reasoningTokens }) => reasoningTokens ?? [])
  view = await openView([folder])
  const link = view.page.locator('.card h2 a').first()
  await link.waitFor()
  run = ((await link.getAttribute('href')) ?? '').replace('#', '')
})
afterAll(async () => {
  await view.close()
  rmSync(folder, { recursive: true })
})

const status = (wanted: number) =>
  view.page.locator('[role=status]', { hasText: new RegExp(`^${wanted} of ${lengths.length} items`, 'u') }).waitFor()
const SEARCH = 'Search questions and answers'
const asked = (name: string) => new URLSearchParams(new URL(view.page.url()).hash.split('?')[1]).getAll(name)

const field = (name: string) =>
  (['combobox', 'searchbox', 'spinbutton'] as const)
    .map((role) => view.page.getByRole('form', { name: 'Filters' }).getByRole(role, { name, exact: true }))
    .reduce((one, other) => one.or(other))

/** Goes on by Tab until the field with this label has the focus, which must be seen. */
async function tabTo(label: string): Promise<void> {
  const { page } = view
  const wanted = field(label)
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press('Tab')
    if (await wanted.evaluate((one) => one === document.activeElement)) {
      expect(await wanted.evaluate((one) => Number.parseFloat(getComputedStyle(one).outlineWidth))).toBeGreaterThan(1)
      return
    }
  }
  throw new Error(`no Tab leads to ${label}`)
}

test('by keys alone: texts are searched for, a column bounded, and all of it taken out', async () => {
  const { page } = view
  await view.go(`${run}/items`)
  await status(lengths.length)
  const all = [...lengths].sort((a, b) => a - b)
  const [least = 0, most = 0] = [all[5], all[20]]
  await page.locator('summary', { hasText: 'Features' }).focus()
  await page.keyboard.press('Enter')
  await tabTo('where')
  await page.keyboard.type('reasoning')
  await tabTo('from')
  await page.keyboard.type(String(least))
  await tabTo('to')
  await page.keyboard.type(String(most))
  await page.keyboard.press('Enter')
  await status(lengths.filter((one) => one >= least && one <= most).length)
  expect(asked('amount')).toEqual([`reasoning>=${least}`, `reasoning<=${most}`])
  await page.getByText('It selects by outcome or response').waitFor()
  await page.getByRole('link', { name: `reasoning tokens ${least} to ${most}` }).focus()
  await page.keyboard.press('Enter')
  await status(lengths.length)

  await page.locator('main').focus()
  await page.keyboard.press('/')
  await page.keyboard.type('IS NOT THERE')
  await page.keyboard.press('Enter')
  await status(0)
  await page.getByText('No items match').waitFor()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.type('answer: YES')
  await page.keyboard.press('Enter')
  await status(lengths.length)
  expect(asked('text')).toEqual(['answer: YES'])
  await page.reload()
  await status(lengths.length)
  expect(await field(SEARCH).inputValue()).toBe('answer: YES')
  expect(view.complaints).toEqual([])
})

test('what came of items is one press away, counted under the other filters; the list is sorted by what is chosen', async () => {
  const { page } = view
  await view.go(`${run}/items`)
  await status(lengths.length)
  const segments = page.getByRole('group', { name: 'What came of the items' }).getByRole('button')
  const counts = Object.fromEntries(
    (await segments.allInnerTexts()).map((text) => {
      const [name = '', count = ''] = text.split(' ')
      return [name, Number(count)]
    }),
  )
  expect(counts['All']).toBe(lengths.length)
  const [name] = Object.entries(counts).find(([name, count]) => name !== 'All' && count > 0) ?? []
  await page.getByRole('button', { name: new RegExp(`^${name}`, 'u') }).click()
  await status(counts[name ?? ''] ?? 0)
  await page.getByRole('button', { name: /^All/u }).click()
  await status(lengths.length)
  await field('Sort').selectOption('reasoning')
  await page.waitForURL(/sort=reasoning/u)
  const longest = lengths.indexOf(Math.max(...lengths))
  await page
    .locator('a.item')
    .first()
    .locator('.index', { hasText: new RegExp(`^#${longest}$`, 'u') })
    .waitFor()
  // Each model has its share of correct responses in its head.
  for (const head of await page.locator('.heads .rate').allInnerTexts())
    expect(head).toMatch(/\d+%\s*\d+ of \d+ correct/u)
  expect(view.complaints).toEqual([])
})

test('an item out of a filter leads to the next one that fits, and back to the list', async () => {
  const { page } = view
  const least = [...lengths].sort((a, b) => a - b)[10] ?? 0
  const fitting = lengths.filter((one) => one >= least).length
  await view.go(`${run}/items?amount=reasoning>=${least}`)
  await status(fitting)
  const listed = await page.locator('a.item').evaluateAll((rows) => rows.map((row) => row.getAttribute('href') ?? ''))
  await page.locator('a.item').first().click()
  const seen: string[] = []
  for (let at = 1; at <= fitting; at++) {
    await page.getByRole('link', { name: `${at} of ${fitting} that match` }).waitFor()
    seen.push(new URL(page.url()).hash)
    await page.keyboard.press('j')
  }
  expect(new Set(seen).size).toBe(fitting)
  expect(seen.slice(0, listed.length).map((hash) => new URLSearchParams(hash.split('?')[1]).get('id'))).toEqual(
    listed.slice(0, fitting).map((href) => new URLSearchParams(href.split('?')[1]).get('id')),
  )
  await page.getByRole('link', { name: `${fitting} of ${fitting} that match` }).click()
  await status(fitting)
  expect(asked('amount')).toEqual([`reasoning>=${least}`])
  const other = seen[0]?.replace(/amount=[^&]*/u, `amount=reasoning>=${Math.max(...lengths) + 1}`) ?? ''
  await view.go(other)
  await page.getByRole('link', { name: 'not among the 0 that match' }).waitFor()
  expect(view.complaints).toEqual([])
})

test('with all filters open nobody is kept out, light or dark, wide or narrow', async () => {
  const { page } = view
  for (const { colorScheme, width } of looks(1)) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await view.go(`${run}/items?a=thinker&b=talker&pair=differ&by=0.5&amount=reasoning>=1&text=a`)
    await opened(page)
    await field('where').selectOption({ label: 'distance' })
    await field('from').waitFor()
    expect(await barriers(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  expect(view.complaints).toEqual([])
})

test('the way back takes back the last choice, and forth gives it again', async () => {
  const { page } = view
  await view.go(`${run}/items`)
  await field(SEARCH).fill('no such text')
  await page.keyboard.press('Enter')
  await status(0)
  await page.goBack()
  await status(lengths.length)
  expect(await field(SEARCH).inputValue()).toBe('')
  await page.goForward()
  await status(0)
  expect(asked('text')).toEqual(['no such text'])
})

test('? lists the keys of the page; an item is looked at beside the list, and the list goes on', async () => {
  const { page } = view
  await view.go(`${run}/items`)
  await status(lengths.length)
  // In a field a key writes.
  await page.locator('main').focus()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keys' })
  for (const words of ['Results', 'next item', 'clear the filters', 'this list']) await help.getByText(words).waitFor()
  expect(await barriers(page)).toEqual([])
  // Keys of the page do nothing behind it.
  await page.keyboard.press('2')
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })
  expect(asked('outcome')).toEqual([])
  const beside = page.getByRole('complementary', { name: 'Selected item' })
  const selected = (): Promise<string> => page.locator('a.item.selected .index').innerText()
  const first = await selected()
  await page.keyboard.press(' ')
  await beside.getByRole('heading', { name: new RegExp(`${first}$`, 'u') }).waitFor()
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('j')
  expect(await selected()).not.toBe(first)
  await beside.getByRole('heading', { name: new RegExp(`${await selected()}$`, 'u') }).waitFor()
  await page.keyboard.press('Escape')
  await beside.waitFor({ state: 'hidden' })
  await page.keyboard.press('2')
  await page.waitForURL(/outcome=wrong/u)
  await page.keyboard.press('Escape')
  await status(lengths.length)
})
