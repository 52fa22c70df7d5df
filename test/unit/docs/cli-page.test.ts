import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cliPage } from '../../../scripts/cli-page.ts'

test('docs/cli.md is what the commands declare: npm run docs:cli writes it', () => {
  expect(readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8')).toBe(cliPage())
})
