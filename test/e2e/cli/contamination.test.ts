import { writeFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { json, scratch, touchstone } from './cli.ts'

const folder = scratch()
afterAll(folder.remove)

const careless = `
import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { id } = JSON.parse(line)
  process.stdout.write(JSON.stringify({ id, text: 'Yes' }) + '\\n')
}`

it('compares a model on two runs with one released before, and says which models there are', async () => {
  const script = folder.path('careless.mjs')
  writeFileSync(script, careless)
  const model = `exec:node ${script}`
  for (const [name, seed] of [
    ['published', '3'],
    ['fresh', '4'],
  ] as const) {
    const items = ['recoglab/comparison', '--preset', 'people', '--count', '40', '--seed', seed]
    const asked = ['--model', model, '--model', 'baseline:oracle', '--out', folder.path(name)]
    const run = await touchstone(['run', ...items, ...asked])
    expect(run.code, run.stderr).toBe(0)
  }
  const around = ['contamination', folder.path('published'), folder.path('fresh'), '--before', 'baseline:oracle']
  const found = await json<{ result: { estimate: { value: number } } }>([...around, '--model', model])
  expect(found).toMatchObject({ schema: 'touchstone/contamination/1', result: { estimate: { n: 80 } } })
  // Answers are balanced, so that "Yes" is right as often on both sides.
  expect(found.result.estimate.value).toBeCloseTo(0, 5)
  const said = await touchstone([...around, '--model', 'nobody'])
  expect(said.code).toBe(2)
  expect(said.stderr).toMatch(/nobody has no outcome on published items; there are/)
})
