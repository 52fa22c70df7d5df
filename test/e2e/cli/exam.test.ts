import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { touchstone } from './here.ts'

const folder = scratch()
afterAll(folder.remove)

it('an exam is announced, held and opened; another exam than the announced one is told', async () => {
  const exam = ['recoglab/comparison', '--preset', 'people', '--split', 'exam-2027', '--count', '5']
  const [before, held] = [folder.path('before'), folder.path('held')]
  const announced = await touchstone(['exam', 'announce', ...exam, '--beacon', 'drand:1000', '--out', before])
  expect(announced.code, announced.stderr).toBe(0)
  const secret = `${before}/secret.json`
  const made = await touchstone([
    'exam',
    'commit',
    ...exam,
    '--secret',
    secret,
    '--beacon',
    'drand:1000:ab',
    '--out',
    held,
  ])
  expect(made.code, made.stderr).toBe(0)
  const announcement = `${before}/announcement.json`
  expect(readFileSync(announcement, 'utf8')).not.toMatch(/"secret"/u)

  const opened = await touchstone(['exam', 'reveal', held, '--announcement', announcement])
  expect(opened).toMatchObject({ code: 0, stdout: expect.stringMatching(/equal to the commitment/u) })

  const other = folder.path('other')
  await touchstone(['exam', 'commit', ...exam, '--secret', secret, '--beacon', 'drand:1001:ab', '--out', other])
  const moved = await touchstone(['exam', 'reveal', other, '--announcement', announcement])
  expect(moved.code).toBe(1)
  expect(moved.stdout).toMatch(/drand:1000[\s\S]*DIFFERS from the commitment/u)

  writeFileSync(folder.path('forged.json'), '{"schema":"touchstone/announcement/1"}')
  const forged = await touchstone(['exam', 'reveal', held, '--announcement', folder.path('forged.json')])
  expect(forged.code).toBe(2)
  expect(forged.stderr).toMatch(/forged\.json does not fit this version/u)
})
