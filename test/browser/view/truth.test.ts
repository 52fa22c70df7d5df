import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toyFolder } from '../../unit/view/toy-run.ts'
import { barriers } from './axe.ts'
import { type OpenView, openView } from './open.ts'

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

test('a rule of a cascade is dropped, and the words say what breaks', async () => {
  await view.go('/studio?task=pbebench/reorder')
  await view.page.locator('.seal.good').waitFor()
  const ends = () => view.page.locator('.steps tbody tr td:last-child').allInnerTexts()
  const right = await ends()
  const boxes = view.page.locator('.steps th input[type=checkbox]')
  expect(await boxes.count()).toBeGreaterThan(1)
  await boxes.first().uncheck()
  const said = await view.page.locator('.damage').innerText()
  const broken = await view.page.locator('.steps td.broken').count()
  expect(said).toMatch(/^Without rule 1: \d+ of \d+ words? end otherwise\.$/)
  expect(Number(/(\d+) of/.exec(said)?.[1])).toBe(broken)
  expect(broken).toBeGreaterThan(0)
  expect(await barriers(view.page)).toEqual([])
  await view.page.getByRole('button', { name: 'All rules again' }).click()
  expect(await ends()).toEqual(right)
  expect(view.complaints).toEqual([])
})

test('a rule, its column and its line in the prompt set each other off', async () => {
  await view.go('/studio?task=pbebench/reorder')
  await view.page.locator('.seal.good').waitFor()
  await view.page.locator('.steps th').nth(1).hover()
  const place = view.page.locator('.place.on', { hasText: 'replace(' })
  await place.waitFor()
  const rule = await place.innerText()
  const [, left = '', right = ''] = /^replace\('(.*)', '(.*)'\)$/.exec(rule) ?? []
  expect(await view.page.locator('.steps th').nth(1).innerText()).toContain(`${left} → ${right === '' ? '∅' : right}`)
  await view.page.locator('h1').hover()
  expect(await view.page.locator('.place.on, th.linked').count()).toBe(0)
  await place.page().getByText(rule, { exact: true }).hover()
  await view.page.locator('th.linked').waitFor()
  expect(await view.page.locator('th.linked').innerText()).toContain(left)
})

test('a sentence of the prompt sets off its arrow, and a name its node', async () => {
  await view.go('/studio?task=recoglab/comparison')
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
  await view.go('/studio?task=relic/recognize&preset=relic-demo&at=1')
  await view.page.locator('.seal.good').waitFor()
  await view.page.locator('.tree .inner').last().hover()
  const place = view.page.locator('.place.on').first()
  await place.waitFor()
  const [line, frame] = await Promise.all([place.boundingBox(), view.page.locator('.spoken pre').first().boundingBox()])
  expect(line?.y).toBeGreaterThanOrEqual(frame?.y ?? Number.NaN)
  expect(line?.y).toBeLessThan((frame?.y ?? 0) + (frame?.height ?? 0))
})
