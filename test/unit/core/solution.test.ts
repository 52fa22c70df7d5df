import { expect, it } from 'vitest'
import { fullOnly, optionalStep, solutionDetails, solutionText } from '../../../src/core/index.ts'

it('a worked solution tells less without telling otherwise', () => {
  const lines = [
    fullOnly('Look at all.'),
    optionalStep('A is larger than B.', 'A > B.'),
    optionalStep('B > C.'),
    'Answer: A',
  ]
  expect(solutionDetails.map((detail) => solutionText(lines, detail))).toEqual([
    'Answer: A',
    'A > B.\nB > C.\nAnswer: A',
    'Look at all.\nA is larger than B.\nB > C.\nAnswer: A',
  ])
  const own = { reason: 'so', short: null, full: 'and so' }
  expect(solutionDetails.map((detail) => solutionText([own], detail))).toEqual(['so', '', 'and so'])
})
