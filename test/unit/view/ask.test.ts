import { expect, it } from 'vitest'
import { points } from '../../../src/core/index.ts'
import { askedIn } from '../../../src/view/api/index.ts'

it('finds a request inside a line, with its object', () => {
  const asked = askedIn(
    'Below is a grammar.\n\nGrammar:\n```\nS -> A\n```\n\nThis string is not in it. Change it with few edits: insert or delete.\n```\na b\n```\n\nClose with one line.',
  )
  expect(asked).toMatchObject({
    question: 'Change it with few edits',
    object: 'a b',
    title: 'Grammar',
    context: ['S -> A'],
  })
})

it('takes the data between a request and the form of the answer', () => {
  const asked = askedIn('Hints:\n1. Think.\n\nFind an order.\n\ninputs = [1]\n\nRules:\n[0] x\n\nEnd with a list.')
  expect(asked).toMatchObject({ question: 'Find an order', context: ['inputs = [1]', 'Rules:', '[0] x'] })
})

it('rounds a difference and its opposite alike', () => {
  expect([-0.175, 0.175, -0.004, 0.125].map(points)).toEqual(['−18', '+18', '0', '+13'])
})
