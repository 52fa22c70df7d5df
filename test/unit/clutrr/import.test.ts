import { expect, it } from 'vitest'
import type { FileTree, Imported } from '../../../src/core/index.ts'
import { importStories } from '../../../src/tasks/clutrr/import.ts'

const folder = (files: { readonly [path: string]: string }): FileTree => ({
  async *list() {
    for (const [path, text] of Object.entries(files)) yield { path, bytes: text.length }
  },
  async *text(path) {
    yield files[path] ?? ''
  },
})

async function read(files: { readonly [path: string]: string }): Promise<readonly Imported[]> {
  const found: Imported[] = []
  for await (const entry of importStories.read(folder(files))) found.push(entry)
  return found
}

const head = 'id,story,query,target,target_text,f_comb'
const csv = (...rows: readonly string[]) => [head, ...rows].join('\n')
const row = `1,"[Vera] asked her daughter, [Lotte]. [Lotte], and her brother [Emil]: ""no"".","('Vera', 'Emil')",16,son,daughter-brother`

it('reads what the second person is to the first, by part', async () => {
  const found = await read({ 'v1/gen_train23/test.csv': csv(row), 'v1/gen_train23/train.csv': csv(row) })
  expect(found).toMatchObject([
    { kind: 'group', key: 'v1/gen_train23/test.csv:1' },
    {
      kind: 'item',
      given: { kind: 'story', asked: ['Emil', 'Vera'], chain: ['daughter', 'brother'] },
      answer: 'son',
      features: { hops: 2, part: 'gen_train23', relation: 'son' },
    },
    { kind: 'count', name: 'chainsAgree', add: 1 },
  ])
})

it('reads the columns of the first release, and relations with a hyphen', async () => {
  const found = await read({
    'data/1.3_test.csv': `id,story,query,target,text_target,f_comb\n1,"[A] B.","('A', 'B')",x,father,wife-father-in-law`,
  })
  expect(found[1]).toMatchObject({ given: { chain: ['wife', 'father-in-law'] }, features: { part: '1.3' } })
  // A wife's father-in-law is one's own father.
  expect(found[2]).toEqual({ kind: 'count', name: 'chainsAgree', add: 1 })
})

it('tells a stored relation that the chain does not give, and keeps the item', async () => {
  const found = await read({ 'a/test.csv': csv(row.replace(',son,', ',nephew,')) })
  expect(found.map(({ kind }) => kind)).toEqual(['group', 'item', 'problem', 'count'])
  expect(found[2]).toMatchObject({ problem: 'chain', line: 1, message: 'stored nephew, the chain gives son' })
})

it('tells rows that are none, and files that are broken off', async () => {
  const found = await read({
    'a/test.csv': csv(
      `1,story,"('A', 'B')",0,cousin,son-son`,
      `2,,"('A', 'B')",0,son,son`,
      `3,story,A and B,0,son,son`,
    ),
    'b/test.csv': `${head}\n1,"never closed`,
    'c/test.csv': '',
  })
  expect(found.filter(({ kind }) => kind === 'problem')).toHaveLength(4)
  expect(found.filter(({ kind }) => kind === 'item')).toHaveLength(0)
})
