import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Rule, traceCascade } from '../../../src/libraries/rewriting/index.ts'
import { influences, replay } from '../../../src/view/client/truth/replay.ts'

test('a rule dropped is a cascade without it', () => {
  const letters = fc.constantFrom('a', 'b', 'c')
  const side = fc.string({ unit: letters, minLength: 1, maxLength: 2 })
  const rules = fc.array(fc.tuple(side, fc.string({ unit: letters, maxLength: 2 })), { minLength: 1, maxLength: 5 })
  const words = fc.array(fc.string({ unit: letters, maxLength: 6 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(words, rules, fc.nat(), (inputs, cascade, pick) => {
      const drop = pick % cascade.length
      const ran = replay(inputs, cascade, new Set([drop]))
      const rest = cascade.filter((_, k) => k !== drop)
      expect(ran.kind).toBe('ran')
      if (ran.kind === 'ran') expect(ran.rows.map((row) => row.at(-1))).toEqual(traceCascade(inputs, rest).at(-1))
    }),
  )
})

test('words that grow without end stop the replay and say where', () => {
  const doubling = Array.from({ length: 40 }, (): Rule => ['a', 'aa'])
  expect(replay(['a'], doubling, new Set())).toEqual({ kind: 'outgrown', rule: 20 })
  expect(influences(['a'], doubling)).toEqual([])
})

test('feeding and bleeding are what the textbook pairs show', () => {
  // "kan" becomes "tan" and then "dan"; "sok" becomes "suk" and the second rule finds nothing.
  const feeding: readonly Rule[] = [
    ['k', 't'],
    ['ta', 'da'],
  ]
  const bleeding: readonly Rule[] = [
    ['o', 'u'],
    ['so', 'zo'],
  ]
  expect(influences(['kan', 'pin'], feeding)).toEqual([{ from: 0, to: 1, kind: 'feeds', words: [0] }])
  expect(influences(['pin', 'sok'], bleeding)).toEqual([{ from: 0, to: 1, kind: 'bleeds', words: [1] }])
  // The other way round neither pair meets: counterfeeding and counterbleeding are no arcs.
  expect(influences(['kan'], feeding.toReversed())).toEqual([])
  expect(influences(['sok'], bleeding.toReversed())).toEqual([])
})
