import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { sealOf, verifyRun, verifySeal } from '../../../src/extras/seals/index.ts'
import { createRun, dryRun, executeRun, openRun, parseExperiment, withRun } from '../../../src/runner/index.ts'
import { runPrompts } from '../../../src/runner/plan/prompts.ts'
import { mockContext, scratch } from '../../mock/context.ts'

const { folder, remove } = await scratch()
afterAll(remove)

const context = mockContext()
const TEXT = '{{#system}}\nBe brief.\n{{#user}}\nIs {{n}} even?'
const STYLE = `own-words@${createHash('sha256').update(TEXT).digest('hex').slice(0, 16)}`
const path = join(folder, 'Own words.txt')
await writeFile(path, TEXT)

const experiment = (more: object = {}) =>
  parseExperiment({
    items: { task: 'mock/parity', preset: 'small', count: 20, template: path, ...more },
    models: ['baseline:exact'],
  })

/** A run that is planned only, or finished. */
async function runIn(name: string, ask: boolean): Promise<string> {
  const dir = join(folder, name)
  await mkdir(dir)
  await withRun(await createRun({ experiment: experiment(), dir }, context), (run) =>
    executeRun(run, { planOnly: !ask }),
  )
  return dir
}
async function edit(dir: string, change: (text: string) => string): Promise<void> {
  const file = join(dir, 'run.json')
  await writeFile(file, change(await readFile(file, 'utf8')))
}
const resume = async (dir: string) => withRun(await openRun(dir, context, { mode: 'write' }), (run) => executeRun(run))
const problems = async (dir: string): Promise<readonly string[]> =>
  withRun(await openRun(dir, context, { mode: 'read' }), async (run) =>
    (await verifyRun(run)).problems.map(({ message }) => message),
  )

it('asks in the template, under a style that names its text, and verifies run and seal', async () => {
  const dir = await runIn('good', true)
  await writeFile(path, 'The file may change: {{n}}')
  await withRun(await openRun(dir, context, { mode: 'read' }), async (run) => {
    const lines = []
    for await (const page of runPrompts(run)) lines.push(...page)
    expect(lines).toHaveLength(20)
    for (const line of lines)
      expect(line).toMatchObject({
        style: STYLE,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: expect.stringMatching(/^Is \d+ even\?$/u) },
        ],
      })
    const seal = await sealOf(run)
    expect(verifySeal(seal, context.tasks).problems).toEqual([])
    const sources = seal.run.sources.map((source) => ({ ...source, templates: { [STYLE]: `${TEXT}!` } }))
    expect(verifySeal({ ...seal, run: { ...seal.run, sources } }, context.tasks).problems).toEqual(
      expect.arrayContaining([expect.stringMatching(/the template of the style own-words/u)]),
    )
  })
  expect(await problems(dir)).toEqual([])
  await writeFile(path, TEXT)
})

it('keeps the template for a resume, also when its file is another by then', async () => {
  const dir = await runIn('resumed', false)
  await writeFile(path, 'Another: {{n}}')
  expect(await resume(dir)).toMatchObject({ status: 'completed', counts: { done: 20 } })
  expect(await problems(dir)).toEqual([])
  await writeFile(path, TEXT)
})

it.each([
  ['changed', (text: string) => text.replace('Be brief', 'Be long')],
  ['removed', (text: string) => text.replace('"templates"', '"forgotten"')],
])('refuses to go on with a template that was %s, and verify tells it', async (name, change) => {
  const [open, done] = [await runIn(`${name}-open`, false), await runIn(`${name}-done`, true)]
  await edit(open, change)
  await edit(done, change)
  await expect(resume(open)).rejects.toThrow(/the template of the style own-words@.* is not the text that was planned/u)
  expect(await problems(done)).toEqual(expect.arrayContaining([expect.stringMatching(/the template of the style/u)]))
})

it('asks in styles and templates beside each other, and counts the tokens of both', () => {
  const both = dryRun(experiment({ style: 'plain' }), context)
  expect(both.calls).toBe(40)
  expect(dryRun(experiment(), context).calls).toBe(20)
})

it('refuses a template beside a selection, and one of a file that is not there', () => {
  const choice = { task: 'mock/parity', model: 'baseline:exact', settings: '{}', style: 'plain', parser: 'strict' }
  expect(() => dryRun({ ...experiment(), selection: [choice] as never }, context)).toThrow(/a selection chooses one/u)
  expect(() => dryRun(experiment({ template: join(folder, 'none') }), context)).toThrow(/none cannot be read/u)
})
