import { expect, it } from 'vitest'
import { importStories } from '../../../src/tasks/clutrr/import.ts'
import { importTexts } from '../importing.ts'

const read = (files: { readonly [path: string]: string }) => importTexts(importStories, files)

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
    { kind: 'count', name: 'chainsOpen', add: 0 },
  ])
})

it('reads the kind of facts from the name of the task, as the parts number them', async () => {
  const told = (task: string) => `${head},task_name\n${row},${task}`
  const kinds = ['task_1.2', 'task_2.3', 'task_3.2', 'task_4.3', 'task_7.2', ''].map(async (task) => {
    const found = await read({ 'rob_train_sup_23_test_all_23/test.csv': told(task) })
    return found.flatMap((entry) => (entry.kind === 'item' ? [entry.features['facts']] : []))
  })
  expect((await Promise.all(kinds)).flat()).toEqual(['clean', 'supporting', 'irrelevant', 'disconnected', null, null])
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
  expect(found.map(({ kind }) => kind)).toEqual(['group', 'item', 'problem', 'count', 'count'])
  expect(found[2]).toMatchObject({ problem: 'chain', line: 1, message: 'stored nephew, the chain gives son' })
})

it('counts apart a chain that leaves the stored relation open, with all columns of the second release', async () => {
  const columns =
    ',id,story,query,target,target_text,clean_story,proof_state,f_comb,task_name,story_edges,edge_types,query_edge,genders,task_split'
  // The aunt of a son is a sister of one's own, or of the other parent: her mother is one's own, or in-law.
  const open = `0,x-1,"[Ida] took his [Ole] out. [Ole] has an aunt, [Una], whose mother is [Vera].","('Ida', 'Vera')",6,mother,"[Ida] and [Ole].","[{('Ida', 'mother', 'Vera'): [('Ida', 'sister', 'Una'), ('Una', 'mother', 'Vera')]}]",son-aunt-mother,task_1.3,"[(0, 1), (1, 2), (2, 3)]","['son', 'aunt', 'mother']","(0, 3)","Ida:male,Ole:male,Una:female,Vera:female",test`
  const found = await read({
    'rob_train_disc_23_test_all_23/test.csv': [columns, open, open.replace(',6,mother,', ',9,daughter,')].join('\n'),
  })
  expect(found.filter(({ kind }) => kind === 'item')).toMatchObject([
    { given: { asked: ['Vera', 'Ida'], chain: ['son', 'aunt', 'mother'] }, answer: 'mother' },
    { answer: 'daughter', features: { part: 'rob_train_disc_23_test_all_23', hops: 3 } },
  ])
  expect(found.slice(-3)).toMatchObject([
    { problem: 'chain', line: 2, message: 'stored daughter, the chain gives mother or mother-in-law' },
    { name: 'chainsAgree', add: 0 },
    { name: 'chainsOpen', add: 1 },
  ])
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
