import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { touchstone } from './here.ts'

const folder = scratch()
afterAll(folder.remove)

it('an exam is announced, held and opened; another exam than the announced one is told', async () => {
  const exam = ['commit', 'recoglab/comparison', '--preset', 'people', '--split', 'exam-2027', '--count', '5']
  const [before, held] = [folder.path('before'), folder.path('held')]
  const announced = await touchstone([...exam, '--beacon', 'drand:1000', '--announce', '--out', before])
  expect(announced.code, announced.stderr).toBe(0)
  const secret = `${before}/secret.json`
  const made = await touchstone([...exam, '--secret', secret, '--beacon', 'drand:1000:ab', '--out', held])
  expect(made.code, made.stderr).toBe(0)
  const announcement = `${before}/announcement.json`
  expect(readFileSync(announcement, 'utf8')).not.toMatch(/"secret"/u)

  const opened = await touchstone(['reveal', held, '--announced', announcement])
  expect(opened).toMatchObject({ code: 0, stdout: expect.stringMatching(/opened, all as committed/u) })

  const other = folder.path('other')
  await touchstone([...exam, '--secret', secret, '--beacon', 'drand:1001:ab', '--out', other])
  const moved = await touchstone(['reveal', other, '--announced', announcement])
  expect(moved.code).toBe(1)
  expect(moved.stdout).toMatch(/drand:1000[\s\S]*NOT what was committed/u)

  writeFileSync(folder.path('forged.json'), '{"schema":"touchstone/announcement/1"}')
  const forged = await touchstone(['reveal', held, '--announced', folder.path('forged.json')])
  expect(forged.code).toBe(2)
  expect(forged.stderr).toMatch(/forged\.json does not fit this version/u)
})
