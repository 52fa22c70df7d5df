import { expect, it } from 'vitest'
import { casesOf, it as own, runCase } from '../../../scripts/mutation/suite.ts'

/** What a test of a table is called with, row by row, by Vitest or by the suite that mutants are asked of. */
async function calls(rows: readonly unknown[]): Promise<readonly unknown[]> {
  const seen: unknown[] = []
  const cases = await casesOf(async () => own.each(rows)('row', (...args: readonly unknown[]) => void seen.push(args)))
  for (const one of cases) await runCase(one)
  return seen
}

it('rows of a table are lists of arguments only where all of them are lists, as in Vitest', async () => {
  expect(await calls([[1, 2], [3]])).toEqual([[1, 2], [3]])
  expect(await calls([undefined, [1, 2], 'ab'])).toEqual([[undefined], [[1, 2]], ['ab']])
})
