import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const titles = globSync('test/**/*.test.ts', { cwd: root }).flatMap((path) =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/\b(?:it|test|describe)\b.*\((M\d+)\)/gu)].map(
    ([, name]) => name,
  ),
)

test.each(Array.from({ length: 9 }, (_, k) => `M${k + 1}`))('the repair of %s has a test that names it', (name) => {
  expect(titles).toContain(name)
})
