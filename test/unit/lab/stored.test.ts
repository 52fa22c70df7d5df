import { expect, it } from 'vitest'
import { runNamed } from '../../../src/lab/store-address.ts'

it('a run of a store is named by the start of its id, where no other begins so', () => {
  const runs = ['0199a_1', '0199b_2', '7f00']
  const named = (wanted: string) => runNamed(runs, wanted, 'postgres://u:secret@host/db')
  expect([named('7'), named('0199A-1'), runNamed(['one'], '', 'postgres://host/db')]).toEqual([
    '7f00',
    '0199a_1',
    'one',
  ])
  expect(() => named('0199')).toThrow(
    'several runs of host/db begin with "0199": 0199a_1, 0199b_2. Name one: store:RUN',
  )
  expect(() => named('x')).toThrow('no run of host/db begins with "x"; it holds 0199a_1, 0199b_2, 7f00')
  expect(() => named('')).toThrow('host/db holds 0199a_1, 0199b_2, 7f00. Name one: store:RUN')
  expect(() => runNamed([], '', 'postgres://host/db')).toThrow('host/db holds no run')
})
