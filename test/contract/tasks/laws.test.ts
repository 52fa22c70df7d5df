import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { families } from '../../../src/tasks/index.ts'

it.each(families.map(({ name }) => name))('the laws of %s have a file of their own', (name) => {
  expect(existsSync(join(import.meta.dirname, `laws-${name}.test.ts`))).toBe(true)
})
