import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { touchstone } from './here.ts'

const folder = scratch()
afterAll(() => folder.remove())

it('a run that another machine made starts its program only where the user of this one allows it', async () => {
  const [run, proof, home] = [folder.path('run'), folder.path('ran'), folder.path('another-home')]
  const program = `touch ${proof}; exec cat`
  const begin = [
    'run',
    'relic/recognize',
    '--preset',
    'relic-demo',
    '--count',
    '1',
    '--retries',
    '0',
    '--model',
    `exec:${program}`,
  ]
  expect(await touchstone([...begin, '--plan-only', '--out', run])).toMatchObject({ code: 0 })
  const elsewhere = { TOUCHSTONE_HOME: home }

  const refused = await touchstone(['resume', run], elsewhere)
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain(`this run was not made on this machine. It would start the program ${program}`)
  expect(refused.stderr).toContain(`touchstone resume ${run} --allow-exec '${program}'`)
  expect(existsSync(proof)).toBe(false)

  mkdirSync(home, { recursive: true })
  writeFileSync(`${home}/settings.json`, '{"allowExec": "all"}')
  const malformed = await touchstone(['resume', run], elsewhere)
  expect([malformed.code, existsSync(proof)]).toEqual([2, false])
  expect(malformed.stderr).toMatch(/settings\.json cannot be read: .*allowExec/su)

  writeFileSync(`${home}/settings.json`, '{"allowExec": ["another program"], "allowHost": ["api.example.org"]}')
  expect((await touchstone(['resume', run], elsewhere)).code).toBe(2)
  writeFileSync(`${home}/settings.json`, JSON.stringify({ allowExec: [program] }))
  expect((await touchstone(['resume', run], elsewhere)).code).not.toBe(2)
  expect(existsSync(proof)).toBe(true)
  // Where it was made it needs no word of anybody.
  expect((await touchstone(['resume', run, '--retry-errors'])).stderr).not.toContain('not made on this machine')
})
