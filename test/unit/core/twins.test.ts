import { expect, it } from 'vitest'
import { drawTwins } from '../../../src/core/index.ts'

/** Twins among numbers that are drawn as listed, alike where they have as many digits; and how many were drawn. */
function twins(rounds: number, drawn: { readonly even: readonly number[]; readonly odd: readonly number[] }) {
  const taken = { even: 0, odd: 0 }
  const found = drawTwins(
    ['even', 'odd'],
    rounds,
    (kind) => drawn[kind][taken[kind]++] ?? 0,
    (n) => String(n).length,
  )
  return { pair: found === null ? null : [found.get('even'), found.get('odd')], taken: [taken.even, taken.odd] }
}

it('twins are the first of each kind that look alike, drawn in turns until they do', () => {
  expect(twins(9, { even: [2], odd: [5] })).toEqual({ pair: [2, 5], taken: [1, 1] })
  // The odd one of the first round waits for an even one of two digits.
  expect(twins(9, { even: [2, 12], odd: [31, 7] })).toEqual({ pair: [12, 31], taken: [2, 1] })
  // Of two alike of a kind the first is kept.
  expect(twins(9, { even: [2, 4, 6], odd: [31, 55, 9] })).toEqual({ pair: [2, 9], taken: [3, 3] })
})

it('there are none after so many rounds without', () => {
  expect(twins(2, { even: [2, 4, 6], odd: [31, 55, 9] })).toEqual({ pair: null, taken: [2, 2] })
  expect(twins(0, { even: [2], odd: [5] })).toEqual({ pair: null, taken: [0, 0] })
})
