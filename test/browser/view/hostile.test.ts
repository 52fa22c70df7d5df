import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLab } from '../../../src/index.ts'
import { type OpenView, openView } from './open.ts'

/** What a model may say to harm whoever reads it. */
const texts = [
  '<script>globalThis.harmed = true</script><img src=x onerror="globalThis.harmed = true">',
  '"><svg onload="globalThis.harmed=true"><a href="javascript:globalThis.harmed=true">Answer: Yes</a>',
  '\u202Eabc\u2066 Answer: Yes \u0000\u0007\u001B[2J\u001B]0;title\u0007\u200B',
  `${'x'.repeat(5_000_000)}\nAnswer: Yes`,
  `${'\n'.repeat(100_000)}Answer: No`,
  '\uD800 lone \uDFFF Answer: Yes',
  'مرحبا Answer: Yes עברית',
]

let folder: string
let view: OpenView
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-hostile-'))
  const lab = await openLab()
  const items = [{ task: 'recoglab/comparison', preset: 'people', seed: '1', count: texts.length }]
  const source = lab
    .task('recoglab/comparison')
    .source(lab.task('recoglab/comparison').preset('people').config, { split: 'test', seed: '1' })
  const lines = texts.map((text, index) => {
    const item = source.item(index)
    return JSON.stringify({ item: item.id, style: 'answer-line', model: 'x', sample: 0, text })
  })
  const file = join(folder, 'said.jsonl')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const name = '<b onmouseover=alert(1)>\u202Emodel</b>'
  const models = [name, 'a'.repeat(200)].map((one) => ({ model: `replay:${file}`, name: one }))
  await lab.run({ experiment: { items, models }, out: join(folder, 'run') })
  view = await openView([folder])
})
afterAll(async () => {
  await view.close()
  rmSync(folder, { recursive: true })
})

test('nothing that a model said or is called is obeyed, and every page stands', async () => {
  await view.page.locator('.card h2 a').first().waitFor()
  const run = ((await view.page.locator('.card h2 a').first().getAttribute('href')) ?? '').replace('#', '')
  await view.page.setViewportSize({ width: 360, height: 800 })
  for (const page of ['', '/items', '/by-feature', '/compare', '/annotate']) {
    await view.go(`${run}${page}`)
    // Also where a name is longer than the page is wide.
    expect(await view.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  }
  const rows = await view.page.evaluate(async (at) => {
    const answer = await fetch(`/api/runs/${at.split('/').pop()}/items`)
    return ((await answer.json()) as { rows: { item: string }[] }).rows.map(({ item }) => item)
  }, run)
  expect(rows).toHaveLength(texts.length)
  for (const item of rows) {
    await view.go(`${run}/item?id=${encodeURIComponent(item)}`)
    await view.page.locator('.response pre').first().waitFor()
    const shown = await view.page.locator('.response pre').first().innerText()
    // No mark of direction and no control reaches the page as itself.
    expect(shown.replaceAll(/[\n\t\u202F]/gu, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  }
  expect(await view.page.evaluate(() => 'harmed' in globalThis)).toBe(false)
  expect(await view.page.locator('main script, main img, main iframe, a[href^="javascript"]').count()).toBe(0)
  expect(view.complaints).toEqual([])
})
