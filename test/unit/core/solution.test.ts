import { expect, it } from 'vitest'
import { details, inFull, solutionText, worked } from '../../../src/core/solution.ts'

it('a worked solution tells less without telling otherwise', () => {
  const lines = [inFull('Look at all.'), worked('A is larger than B.', 'A > B.'), worked('B > C.'), 'Answer: A']
  expect(details.map((detail) => solutionText(lines, detail))).toEqual([
    'Answer: A',
    'A > B.\nB > C.\nAnswer: A',
    'Look at all.\nA is larger than B.\nB > C.\nAnswer: A',
  ])
  const own = { reason: 'so', short: null, full: 'and so' }
  expect(details.map((detail) => solutionText([own], detail))).toEqual(['so', '', 'and so'])
})
