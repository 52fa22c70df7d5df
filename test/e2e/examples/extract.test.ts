import { expect, test } from 'vitest'
import { ofComments, ofMarkdown } from './extract.ts'

test('the blocks of a page, with their lines', () => {
  const page = 'Text\n```ts\nconst a = 1\n```\n```sh\nls\n```\n```ts\nconst b = 2\nconst c = 3\n```\n'
  expect(ofMarkdown('a.md', page)).toEqual([
    { path: 'a.md', line: 2, code: 'const a = 1' },
    { path: 'a.md', line: 8, code: 'const b = 2\nconst c = 3' },
  ])
})

test('a block that is never closed is an error', () => {
  expect(() => ofMarkdown('a.md', '```ts\nconst a = 1\n')).toThrow('a.md:1')
})

test('examples of doc comments, fenced or not', () => {
  const source = `
/**
 * What it does.
 * @example
 * \`\`\`ts
 * const a = { b: 1 }
 * \`\`\`
 */
export const x = 1

/**
 * @example
 * const y = 2
 * y * 2
 * @throws never
 */
/* not a doc comment: @example */
`
  expect(ofComments('a.ts', source)).toEqual([
    { path: 'a.ts', line: 5, code: 'const a = { b: 1 }' },
    { path: 'a.ts', line: 12, code: 'const y = 2\ny * 2' },
  ])
})
