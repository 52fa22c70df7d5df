import { expect, it } from 'vitest'
import { type CheckedStep, summarizeTrace } from '../../../src/core/index.ts'

const step = (at: number, holds: boolean, decides: string | null = null): CheckedStep => ({
  span: [at, at + 5],
  holds,
  decides,
})
const trace = (answer: string | null, ...steps: readonly CheckedStep[]) =>
  summarizeTrace({ steps, unknown: [] }, answer)

it('steps are counted, true ones apart, and the first that is not true is shown', () => {
  expect(trace('Yes', step(0, true), step(9, false), step(20, true), step(30, false))).toEqual({
    steps: 4,
    trueSteps: 2,
    firstFalse: [9, 14],
    unknown: [],
    supportsAnswer: null,
  })
  expect(trace('Yes')).toEqual({ steps: 0, trueSteps: 0, firstFalse: null, unknown: [], supportsAnswer: null })
})

it('an answer follows where true steps give it, and no true step gives another', () => {
  const [yes, no, lie] = [step(0, true, 'Yes'), step(10, true, 'No'), step(20, false, 'No')]
  const follows = (answer: string | null, ...steps: readonly CheckedStep[]) => trace(answer, ...steps).supportsAnswer
  expect([follows('Yes', yes), follows('Yes', yes, yes, step(30, true)), follows('Yes', yes, lie)]).toEqual([
    true,
    true,
    true,
  ])
  expect([follows('No', yes), follows('Yes', yes, no), follows('Yes', no, yes), follows(null, yes)]).toEqual([
    false,
    false,
    false,
    false,
  ])
  // What is not true decides nothing.
  expect(follows('No', lie)).toBeNull()
})

it('names that are none are told once each, twenty of them', () => {
  const unknown = Array.from({ length: 30 }, (_, i) => [`n${i}`, 'n0']).flat()
  expect(summarizeTrace({ steps: [], unknown }, null).unknown).toEqual(Array.from({ length: 20 }, (_, i) => `n${i}`))
})
