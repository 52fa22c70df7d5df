import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { touchstone } from './here.ts'

const parity = pathToFileURL(join(import.meta.dirname, '../../../examples/parity.ts')).href

/** A program that gives one answer to every line. */
const always = (text: string): string => `import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(JSON.stringify({ id: JSON.parse(line).id, text: '${text}' }) + '\\n')`

describe('a report in which an analysis breaks off', () => {
  const folder = scratch()
  afterAll(folder.remove)

  it('is written without it, names it, and ends with exit code 1', async () => {
    const plugin = folder.path('broken.ts')
    const analysis = `{ id: 'parity/own', title: 'Own', needs: [], run() { throw new RangeError('no such level') } }`
    writeFileSync(plugin, `import task from '${parity}'\nexport default { ...task, analyses: [${analysis}] }\n`)
    const odd = folder.path('odd.mjs')
    writeFileSync(odd, always('Odd'))
    const run = folder.path('run')
    const asked = ['--count', '10', '--model', `exec:node ${odd}`, '--plugin', plugin, '--out', run]
    const ran = await touchstone(['run', 'toy/parity', ...asked])
    expect(ran.code, ran.stderr).toBe(0)
    const { code, stdout, stderr } = await touchstone(['report', run, '--plugin', plugin])
    // A small heap costs time: commands ask for one in a process of their own only.
    expect(runInNewContext('typeof gc')).toBe('undefined')
    expect(code, stderr).toBe(1)
    expect(stderr).toContain('skipped parity/own: it failed: RangeError: no such level')
    expect(stdout).toContain('Accuracy')
    expect(readFileSync(join(run, 'report', 'index.html'), 'utf8')).toContain('no such level')
  })
})

describe('a report or comparison that nobody can make', () => {
  const folder = scratch()
  afterAll(folder.remove)

  it('says what there is instead, and ends with exit code 2', async () => {
    const run = folder.path('run')
    const models = ['--model', 'baseline:gold', '--model', 'baseline:random']
    await touchstone(['run', 'recoglab/comparison', '--count', '20', ...models, '--out', run])
    const sides = ['--model', 'baseline:gold', '--model', 'baseline:random']
    for (const [args, said] of [
      [['report', run, '--parser', 'nobody'], /no row has the parser "nobody"\. Parsers of this run: strict, lenient/u],
      [['report', run, '--where', 'scroe = 1'], /unknown column "scroe"; the nearest are score, /u],
      [['report', run, '--where', "model = 'nobody'"], /no row of .* matches the condition "model = 'nobody'"/u],
      [
        ['report', run, '--analysis', 'recoglab/figur6'],
        /unknown analysis recoglab\/figur6 \(did you mean "recoglab\/figure8"\?\)/u,
      ],
      [['report', run, '--analysis', 'core/acc'], /unknown analysis core\/acc .*It has core\/accuracy$/mu],
      [['compare', run, ...sides.slice(2), ...sides.slice(2)], /a model cannot be compared with itself\. Name two/u],
      [
        ['compare', run, ...sides, '--where', "model = 'nobody'"],
        /no row of .* matches the condition "model = 'nobody'"/u,
      ],
      [['compare', run, ...sides, '--parser', 'nobody'], /has no parser "nobody"; it has strict/u],
    ] as const) {
      const { code, stderr } = await touchstone(args)
      expect(code, stderr).toBe(2)
      expect(stderr).toMatch(said)
    }
  })
})
