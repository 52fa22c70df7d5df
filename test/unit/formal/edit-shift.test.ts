import { describe, expect, it } from 'vitest'
import { editChooser } from '../../../src/formal/edit-negatives.ts'
import { editShift } from '../../../src/formal/edit-shift.ts'
import { applyEdit } from '../../../src/formal/edits.ts'
import { language } from '../../../src/formal/language.ts'
import { attainableLengths } from '../../../src/formal/lengths.ts'
import { localLegality } from '../../../src/formal/local-legality.ts'
import { localModel } from '../../../src/formal/local-model.ts'
import { neighbourhoodKernel } from '../../../src/formal/neighbourhood.ts'
import { randomGrammar } from '../../../src/formal/random-grammar.ts'
import { accepts, stream } from './generation-oracles.ts'
import { cnf } from './random-cnf.ts'

/** Any string over a and b, c only in front: what leaves the language has a c. */
const tellTale = cnf(
  4,
  3,
  [
    [0, 1, 2],
    [2, 3, 2],
    [0, 1, 3],
  ],
  [
    [1, 0],
    [1, 1],
    [1, 2],
    [2, 0],
    [2, 1],
    [3, 0],
    [3, 1],
  ],
)

describe('the shift of strings by edits out of the language', () => {
  it('is large where leaving takes one token', () => {
    const own = language(tellTale, 20)
    const rules = { legality: localLegality(tellTale, 1), model: null }
    const shift = editShift(own, neighbourhoodKernel(tellTale), rules, new Array(60).fill(12), stream(1))
    expect(shift.available).toBe(1)
    // One string in three has its c already, in front.
    expect(shift.presence).toBeGreaterThan(0.5)
  })

  it('says when there is no such edit', () => {
    const everything = cnf(
      2,
      2,
      [
        [0, 1, 1],
        [0, 0, 1],
      ],
      [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ],
    )
    const rules = { legality: localLegality(everything, 1), model: null }
    expect(editShift(language(everything, 9), neighbourhoodKernel(everything), rules, [4, 5, 9], stream(1))).toEqual({
      available: 0,
      presence: 0,
    })
  })

  it('estimates what drawn negatives show', () => {
    const grammar = randomGrammar(stream(12), { terminals: 12, nonterminals: 14, lexical: 20, binary: 28 })
    if (grammar === null) throw new Error('seed 12 gives a grammar')
    const own = language(grammar, 16)
    const draws = stream(2)
    const reached = attainableLengths(own.lengths)
    const sample = Array.from({ length: 300 }, (_, i) =>
      own.sampler.sample(draws, reached[i % reached.length] as number),
    )
    const rules = { legality: localLegality(grammar, 2), model: localModel(sample, grammar.terminals.length) }
    const kernel = neighbourhoodKernel(grammar)
    const chooser = editChooser(rules.legality, rules.model)
    const change = new Float64Array(grammar.terminals.length)
    let edited = 0
    for (let i = 0; i < 4000; i++) {
      const source = own.sampler.sample(draws, 16)
      const edit = chooser.choose(draws, source, 'substitute', kernel(source))
      if (edit === null) continue
      edited++
      const after = applyEdit(source, edit)
      expect(accepts(grammar, [...after])).toBe(false)
      for (const t of new Set(after)) change[t]! += 1
      for (const t of new Set(source)) change[t]! -= 1
    }
    const seen = Math.max(...change.map(Math.abs)) / edited
    const estimate = editShift(own, kernel, rules, new Array(400).fill(16), stream(3))
    expect(estimate.presence).toBeCloseTo(seen, 1)
    expect(estimate.available).toBeCloseTo(edited / 4000, 1)
  })
})
