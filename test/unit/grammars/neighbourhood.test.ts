import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance } from '../../../src/core/index.ts'
import {
  compileRecognizer,
  language,
  type Neighbourhood,
  neighbourhoodKernel,
  randomGrammar,
} from '../../../src/libraries/grammars/index.ts'
import { applyEdit, type Edit } from '../../../src/libraries/grammars/negatives/edit-negatives.ts'
import { insideWeight } from '../../../src/libraries/grammars/sample/inside.ts'
import { accepts, stream } from './generation-oracles.ts'
import { cnf, cnfAndString } from './random-cnf.ts'

/** Every edit of a string, with what the neighbourhood says of it. */
function* verdicts(hood: Neighbourhood, terminals: number): Generator<{ edit: Edit; member: boolean }> {
  const { tokens, tokenWords, substitutions, insertions, deletions } = hood
  const bit = (set: Int32Array, place: number, token: number) =>
    (((set[place * tokenWords + (token >>> 5)] as number) >>> (token & 31)) & 1) === 1
  for (let at = 0; at <= tokens.length; at++) {
    for (let token = 0; token < terminals; token++) {
      yield { edit: { kind: 'insert', at, token }, member: bit(insertions, at, token) }
      if (at < tokens.length) yield { edit: { kind: 'substitute', at, token }, member: bit(substitutions, at, token) }
    }
    if (at < tokens.length) yield { edit: { kind: 'delete', at }, member: deletions[at] === 1 }
  }
}

describe('the edit-1 neighbourhood', () => {
  it('is exactly what membership says, for every edit of any string under any small grammar', () => {
    let members = 0
    let strangers = 0
    fc.assert(
      fc.property(
        cnfAndString({ nonterminals: 4, terminals: 3, rules: 10 }, { minLength: 1, maxLength: 6 }),
        ([grammar, tokens]) => {
          const hood = neighbourhoodKernel(grammar)(tokens)
          expect(hood.member).toBe(accepts(grammar, tokens))
          for (const { edit, member } of verdicts(hood, grammar.terminals.length)) {
            expect(member).toBe(accepts(grammar, [...applyEdit(hood.tokens, edit)]))
            if (member) members++
            else strangers++
          }
        },
      ),
      { numRuns: 400 },
    )
    expect(members).toBeGreaterThan(100)
    expect(strangers).toBeGreaterThan(100)
  })

  it('asked for one kind of edit, says the same of it', () => {
    const parts = { substitute: 'substitutions', insert: 'insertions', delete: 'deletions' } as const
    let settledEarly = 0
    fc.assert(
      fc.property(
        cnfAndString({ nonterminals: 4, terminals: 2, rules: 14 }, { minLength: 1, maxLength: 8 }),
        ([grammar, tokens]) => {
          const kernel = neighbourhoodKernel(grammar)
          const whole = kernel(tokens)
          for (const kind of ['substitute', 'insert', 'delete'] as const) {
            const part = kernel(tokens, kind)[parts[kind]]
            expect(part).toEqual(whole[parts[kind]])
            if (part.every((set) => set === (kind === 'delete' ? 1 : 3))) settledEarly++
          }
        },
      ),
      { numRuns: 400 },
    )
    expect(settledEarly).toBeGreaterThan(20)
  })

  it('holds for long strings, one kernel asked for lengths up and down across words of 32', () => {
    const wrong: string[] = []
    let checked = 0
    for (const key of [0, 1, 3]) {
      const grammar = randomGrammar(stream(key), { terminals: 40, nonterminals: 20, lexical: 60, binary: 32 })
      if (grammar === null) continue
      const own = language(grammar, 101)
      const kernel = neighbourhoodKernel(grammar)
      const recognizer = compileRecognizer(grammar)
      const draws = stream(100 + key)
      for (const length of [3, 101, 31, 32, 33, 63, 64, 65, 2, 50]) {
        if (insideWeight(own.inside, length) === 0) continue
        const hood = kernel(own.sampler.sample(draws, length))
        if (!hood.member) wrong.push(`the string itself, length ${length}`)
        let nth = 0
        for (const { edit, member } of verdicts(hood, grammar.terminals.length)) {
          if (nth++ % (member ? 5 : 37) !== 0 && edit.kind !== 'delete') continue
          checked++
          if (recognizer.accepts(applyEdit(hood.tokens, edit)) !== member) wrong.push(JSON.stringify(edit))
        }
      }
    }
    expect(wrong).toEqual([])
    expect(checked).toBeGreaterThan(1000)
  })

  it('refuses what is not a string over the terminals', () => {
    const kernel = neighbourhoodKernel(cnf(1, 1, [[0, 0, 0]], [[0, 0]]))
    expect(() => kernel([])).toThrow(/empty string/)
    expect(() => kernel([1])).toThrow(/token 1 is not one of/)
  })
})

describe('edits', () => {
  const tokens = fc.array(fc.nat(2), { minLength: 1, maxLength: 8 })

  it('move a string by distance one, or not at all', () => {
    fc.assert(
      fc.property(
        tokens,
        fc.nat(),
        fc.nat(2),
        fc.constantFrom('substitute', 'insert', 'delete'),
        (list, at, token, kind) => {
          const string = Int32Array.from(list)
          const place = at % (kind === 'insert' ? list.length + 1 : list.length)
          const edit: Edit = kind === 'delete' ? { kind, at: place } : ({ kind, at: place, token } as Edit)
          const edited = applyEdit(string, edit)
          expect([...string]).toEqual(list)
          expect(editDistance(string, edited)).toBe(kind === 'substitute' && list[place] === token ? 0 : 1)
        },
      ),
    )
  })

  it('have a distance that is a metric', () => {
    fc.assert(
      fc.property(tokens, tokens, tokens, (a, b, c) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a))
        expect(editDistance(a, b) === 0).toBe(a.join() === b.join())
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c))
      }),
    )
    expect(editDistance([1, 2, 3, 4], [2, 3, 4, 5])).toBe(2)
    expect(editDistance([], [1, 2])).toBe(2)
  })
})
