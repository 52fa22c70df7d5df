import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toyFolder } from '../../unit/view/toy-run.ts'
import { barriers } from './axe.ts'
import { type OpenView, opened, openView } from './open.ts'

let folder: string
let view: OpenView
beforeAll(async () => {
  folder = await toyFolder()
  view = await openView([folder])
})
afterAll(async () => {
  await view.close()
  rmSync(folder, { recursive: true })
})

test.each([
  ['task=toy/none', 'There is no task toy/none in this page: this is another one.'],
  ['task=recoglab/families&preset=none', 'There is no preset none in this page: this is another one.'],
])('the playground says where it has not what is asked for: %s', async (asked, said) => {
  await view.go(`/playground?${asked}`)
  expect(await view.page.locator('.problem').innerText()).toBe(said)
  await view.go('/playground?task=recoglab/families')
  expect(await view.page.locator('.problem').count()).toBe(0)
})

test('a rule of a cascade is dropped, and the words say what breaks', async () => {
  await view.go('/playground?task=pbebench/reorder')
  await view.page.locator('.seal.good').waitFor()
  const ends = () => view.page.locator('.steps tbody tr td:last-child').allInnerTexts()
  const right = await ends()
  const boxes = view.page.locator('.steps th input[type=checkbox]')
  expect(await boxes.count()).toBeGreaterThan(1)
  await boxes.first().uncheck()
  const said = await view.page.locator('.damage').innerText()
  const broken = await view.page.locator('.steps td.broken').count()
  expect(said).toMatch(/^Without rule 1: \d+ of \d+ words? end incorrectly\.$/)
  expect(Number(/(\d+) of/.exec(said)?.[1])).toBe(broken)
  expect(broken).toBeGreaterThan(0)
  expect(await barriers(view.page)).toEqual([])
  await view.page.getByRole('button', { name: 'Apply all rules' }).click()
  expect(await ends()).toEqual(right)
  expect(view.complaints).toEqual([])
})

test('a rule, its column and its lines in question and prompt set each other off', async () => {
  await view.go('/playground?task=pbebench/reorder')
  await view.page.locator('.seal.good').waitFor()
  await opened(view.page)
  await view.page.locator('.steps th').nth(1).hover()
  const place = view.page.locator('.place.on', { hasText: 'replace(' }).first()
  await place.waitFor()
  const rule = await place.innerText()
  const [, left = '', right = ''] = /^replace\('(.*)', '(.*)'\)$/.exec(rule) ?? []
  expect(await view.page.locator('.steps th').nth(1).innerText()).toContain(`${left} → ${right === '' ? '∅' : right}`)
  await view.page.locator('h1').hover()
  expect(await view.page.locator('.place.on, th.linked').count()).toBe(0)
  await place.page().getByText(rule, { exact: true }).first().hover()
  await view.page.locator('th.linked').waitFor()
  expect(await view.page.locator('th.linked').innerText()).toContain(left)
})

test('a sentence of the prompt sets off its arrow, and a name its node', async () => {
  await view.go('/playground?task=recoglab/comparison')
  await view.page.locator('.seal.good').waitFor()
  const edges = await view.page.locator('.graph .edge').count()
  const name = view.page.locator('.graph .node').first()
  const label = (await name.locator('text').textContent()) ?? ''
  await name.hover()
  await view.page.locator('.place.on', { hasText: label }).first().waitFor()
  await view.page.locator('h1').hover()
  await view.page.locator('.place', { hasText: /^ is / }).first().hover()
  await view.page.locator('.graph .edge.linked').waitFor({ state: 'attached' })
  expect(await view.page.locator('.graph .edge.linked').count()).toBe(1)
  expect(edges).toBeGreaterThan(1)
  expect(view.complaints).toEqual([])
})

test('pointing at a drawing scrolls a long prompt to the line that it stands for', async () => {
  await view.go('/playground?task=relic/recognize&preset=relic-demo&at=1')
  await view.page.locator('.seal.good').waitFor()
  await view.page.locator('summary', { hasText: 'Full prompt' }).click()
  await view.page.locator('.tree .inner').last().hover()
  const place = view.page.locator('.spoken .place.on').first()
  await place.waitFor()
  const [line, frame] = await Promise.all([place.boundingBox(), view.page.locator('.spoken pre').first().boundingBox()])
  expect(line?.y).toBeGreaterThanOrEqual(frame?.y ?? Number.NaN)
  expect(line?.y).toBeLessThan((frame?.y ?? 0) + (frame?.height ?? 0))
})

/** The part that has the focus. */
const focused = () =>
  view.page.evaluate(() => {
    const { activeElement } = document
    return {
      part: activeElement?.getAttribute('data-part') ?? null,
      says: activeElement?.getAttribute('data-says') ?? '',
    }
  })

test('the chart is walked by arrows: a cell sets off the rules that fill it, Enter holds them, Escape lets go', async () => {
  // A pointer over the drawing would set off parts of its own.
  await view.page.mouse.move(0, 0)
  await view.go('/playground?task=relic/recognize&preset=relic-demo&at=1')
  await view.page.locator('.seal.good').waitFor()
  await opened(view.page)
  // The places of the prompt are worked out after the drawing: a cell sets off those that are there.
  await view.page.locator('.place').first().waitFor()
  const chart = view.page.locator('figure', { has: view.page.locator('.chart') })
  await chart.locator('.cell.some').first().focus()
  await view.page.keyboard.press('End')
  const { part, says: top } = await focused()
  expect(part).toMatch(/^cell\/0\/\d+$/)
  expect(top).toMatch(/: .*; by S -> /)
  await chart.locator('.readout', { hasText: top }).waitFor()
  await view.page.locator('.place.on').first().waitFor()
  await chart.locator('.cell.half').first().waitFor()
  await view.page.keyboard.press('ArrowDown')
  expect((await focused()).part).not.toBe(part)
  await view.page.keyboard.press('ArrowUp')
  await view.page.keyboard.press('Enter')
  await view.page.locator('h1').click()
  expect(await view.page.locator('.place.on').count()).toBeGreaterThan(0)
  await view.page.keyboard.press('Escape')
  await view.page.locator('.place.on').first().waitFor({ state: 'detached' })
  // And back: a rule in the prompt, reached by keys, sets off its cells and the nodes that use it.
  await view.page.locator('.place').first().focus()
  await view.page.locator('.chart .cell.linked').first().waitFor()
  await view.page.locator('.tree .linked').first().waitFor()
  await view.page.keyboard.press('ArrowRight')
  expect((await focused()).part).toBe('text')
  await view.page.locator('[role=status]', { hasText: /of the drawing/ }).waitFor({ state: 'attached' })
  expect(await view.page.locator('figure [data-part][tabindex="0"]').count()).toBe(
    await view.page.locator('figure').count(),
  )
  expect(await barriers(view.page)).toEqual([])
  expect(view.complaints).toEqual([])
})

test('a derivation stands on its tokens, and is an outline where they have no room; the rules that it uses are bold', async () => {
  const { page } = view
  await view.go('/playground?task=relic/recognize&preset=relic-demo&set=minLength%3D16&at=1')
  await page.locator('.seal.good').waitFor()
  const tokens = await page.locator('.tokens code').allInnerTexts()
  expect(await page.locator('.tree .leaf').allTextContents()).toEqual(tokens)
  const heights = await page
    .locator('.tree .leaf')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y))
  expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(1)
  expect(await page.locator('.given .used').count()).toBeGreaterThan(0)
  await page.setViewportSize({ width: 360, height: 800 })
  await page.locator('.tree .outline').waitFor()
  const outlined = await page.locator('.tree .outline b').allInnerTexts()
  expect(outlined.map((token) => token.trim())).toEqual(tokens)
  expect(await barriers(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 860 })
})

test('each conclusion of a syllogism has a world of three labelled fields in which it is false', async () => {
  const { page } = view
  await view.go('/playground?task=recoglab/syllogism&preset=chain')
  await page.locator('.seal.good').waitFor()
  const rows = page.locator('table.sets tbody tr')
  expect(await rows.count()).toBeGreaterThan(2)
  for (const row of await rows.filter({ has: page.locator('.fields') }).all()) {
    expect(await row.locator('.fields > span').count()).toBe(3)
    expect(await row.innerText()).toMatch(/ only\s.*both\s.* only\s.*false: /su)
  }
  expect(await barriers(page)).toEqual([])
  expect(view.complaints).toEqual([])
})

test('records of families are drawn, and their names point at them', async () => {
  await view.go('/playground?task=recoglab/families&set=families%3D2')
  await view.page.locator('.seal.good').waitFor()
  const node = view.page.locator('.graph .node.on').first()
  const label = (await node.locator('text').textContent()) ?? ''
  await node.focus()
  await view.page.locator('.place.on', { hasText: label }).first().waitFor()
  await view.page
    .locator('.place', { hasText: new RegExp(`^${label}$`, 'u') })
    .last()
    .hover()
  await view.page.locator('.graph .node.linked').waitFor()
  expect(await barriers(view.page)).toEqual([])
})

test('trains are a table: the cars that decide are marked, and a car of the prompt points at its cell', async () => {
  const { page } = view
  await view.go('/playground?task=slr-bench/trains&preset=easy')
  await page.locator('.seal.good').waitFor()
  await opened(page)
  const east = await page.locator('.things tbody tr', { hasText: 'eastbound' }).count()
  expect(await page.locator('.things tbody tr:has(td.decides)').count()).toBe(east)
  expect(east).toBeGreaterThan(0)
  await page
    .locator('.place', { hasText: /^train2_car1$/u })
    .first()
    .hover()
  expect(await page.locator('.things td.linked').count()).toBe(1)
  expect(await page.locator('.things tbody tr').nth(1).locator('td').nth(2).getAttribute('class')).toContain('linked')
  expect(await barriers(page)).toEqual([])
  expect(view.complaints).toEqual([])
})

test('constituents of a scored string point at their like among the examples', async () => {
  await view.go('/playground?task=proficiency/discriminate&preset=g1')
  await view.page.locator('.seal.good').waitFor()
  await opened(view.page)
  await view.page.locator('.strip .span [data-part]').last().focus()
  expect((await focused()).part).toMatch(/^span\//)
  await view.page.locator('.place.on').first().waitFor()
  expect(await barriers(view.page)).toEqual([])
  expect(view.complaints).toEqual([])
})
