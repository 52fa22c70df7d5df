import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance } from '../../../src/core/index.ts'
import {
  attainableLengths,
  type Cnf,
  language,
  neighbourhoodKernel,
  randomGrammar,
  trim,
} from '../../../src/libraries/grammars/index.ts'
import {
  applyEdit,
  type EditRules,
  editChooser,
  editSampler,
} from '../../../src/libraries/grammars/negatives/edit-negatives.ts'
import { legalStrings } from '../../../src/libraries/grammars/negatives/legal-strings.ts'
import {
  bigramNegatives,
  editNegatives,
  uniformNegatives,
} from '../../../src/libraries/grammars/negatives/negatives.ts'
import { ngramModel } from '../../../src/libraries/grammars/negatives/ngram-model.ts'
import { strictlyLocalTest } from '../../../src/libraries/grammars/negatives/strictly-local.ts'
import { unpack } from '../../../src/libraries/grammars/sample/distinct.ts'
import type { DistinctSequence } from '../../../src/libraries/grammars/sample/distinct-sequence.ts'
import { insideWeight } from '../../../src/libraries/grammars/sample/inside.ts'
import { sample } from '../../nightly.ts'
import { strings } from './enumerate.ts'
import { accepts, chiSquared, chiSquaredLimit, isStrictlyLocal, members, stream } from './generation-oracles.ts'
import { anyCnf, cnf } from './random-cnf.ts'

const small = anyCnf({ nonterminals: 4, terminals: 3, rules: 9 })
const text = (tokens: ArrayLike<number>) => Array.from(tokens).join(' ')
const acceptsOf = (grammar: Cnf) => (tokens: ArrayLike<number>) => accepts(grammar, Array.from(tokens))

/** Factors of length k, with boundary marks, of all strings of the language up to `longest` tokens. */
function factors(grammar: Cnf, k: number, longest: number): Set<string> {
  const out = new Set<string>()
  const table = language(grammar, longest).distinct(grammar.terminals.length ** longest + 1)
  for (let n = 1; n <= longest; n++)
    for (const packed of table.cell(n).strings) {
      const marked = ['<', ...unpack(packed), '>']
      for (let i = 0; i + k <= marked.length; i++) out.add(marked.slice(i, i + k).join())
    }
  return out
}

function all(roster: DistinctSequence, most = 1000): { entries: Int32Array[]; proved: boolean } {
  const entries: Int32Array[] = []
  while (entries.length < most) {
    const listed = roster.at(entries.length)
    if (listed.kind === 'exhausted') return { entries, proved: listed.proved }
    entries.push(listed.entry)
  }
  return { entries, proved: false }
}

/** S -> A B: A and B are a^n b and their mixtures; locally legal strings outside the language exist. */
const matched = cnf(
  4,
  2,
  [
    [0, 1, 2],
    [0, 1, 3],
    [3, 0, 2],
  ],
  [
    [1, 0],
    [2, 1],
  ],
)

describe('local legality', () => {
  it('of grade 2 and 3 is what occurs in strings of the language, no more and no less', () => {
    // Grammars this small show every factor in strings of at most 11 tokens.
    let legal = 0
    let illegal = 0
    fc.assert(
      fc.property(anyCnf({ nonterminals: 3, terminals: 2, rules: 5 }), (grammar) => {
        if (trim(grammar) === null) return
        const known = [2, 3].map((k) => [k, factors(grammar, k, 11)] as const)
        for (const grade of [2, 3] as const) {
          const legality = strictlyLocalTest(grammar, grade)
          for (let n = 1; n <= 4; n++)
            for (const tokens of strings(grammar.terminals.length, n)) {
              const marked = ['<', ...tokens, '>']
              const expected = known.every(
                ([k, occurring]) =>
                  k > grade ||
                  marked.every((_, i) => i + k > marked.length || occurring.has(marked.slice(i, i + k).join())),
              )
              expect(isStrictlyLocal(legality, tokens)).toBe(expected)
              if (expected) legal++
              else illegal++
            }
        }
      }),
      { numRuns: sample({ nightly: 150, otherwise: 60 }) },
    )
    expect(Math.min(legal, illegal)).toBeGreaterThan(100)
  })

  it('names for each place just the tokens that keep a string legal', () => {
    fc.assert(
      fc.property(small, fc.array(fc.nat(2), { minLength: 1, maxLength: 6 }), fc.nat(), (grammar, list, at) => {
        const terminals = grammar.terminals.length
        const tokens = list.map((t) => t % terminals)
        const p = at % tokens.length
        for (const grade of [1, 2, 3] as const) {
          const legality = strictlyLocalTest(grammar, grade)
          const around = (i: number) => (i < 0 || i >= tokens.length ? legality.boundary : (tokens[i] as number))
          const set = new Int32Array(legality.words)
          legality.between(around(p - 2), around(p - 1), around(p + 1), around(p + 2), set)
          const rest = isStrictlyLocal(legality, tokens)
          const token = tokens[p] as number
          const named = (((set[token >>> 5] as number) >>> (token & 31)) & 1) === 1
          if (rest) expect(named).toBe(true)
          else if (tokens.length === 1) expect(named).toBe(false)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('legal strings', () => {
  it('are counted and listed exactly', () => {
    fc.assert(
      fc.property(small, (grammar) => {
        const legality = strictlyLocalTest(grammar, 2)
        const legal = legalStrings(legality)
        for (let n = 1; n <= 5; n++) {
          const truth = [...strings(grammar.terminals.length, n)].filter((s) => isStrictlyLocal(legality, s))
          expect(legal.count(n)).toBe(truth.length)
          expect(legal.list(n).map(text).sort()).toEqual(truth.map(text).sort())
        }
      }),
      { numRuns: 100 },
    )
  })

  it('are drawn uniformly', () => {
    const legal = legalStrings(strictlyLocalTest(matched, 2))
    const draws = stream(1)
    const counts = new Map<string, number>()
    for (let i = 0; i < 20_000; i++) {
      const key = text(legal.sample(draws, 6) as Int32Array)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    expect(counts.size).toBe(legal.count(6))
    const { value, df } = chiSquared([...counts.values()], new Array(counts.size).fill(20_000 / counts.size))
    expect(value).toBeLessThan(chiSquaredLimit(df))
  })

  it('are drawn by the weights of their pairs', () => {
    const weight = (a: number, b: number) => 1 + a + 3 * b
    const legality = strictlyLocalTest(matched, 2)
    const legal = legalStrings(legality, weight)
    const { boundary } = legality
    const listed = legal.list(6)
    expect(legal.count(6)).toBe(listed.length)
    const weights = listed.map((tokens) =>
      [...tokens, boundary].reduce(
        (product, token, i) => product * weight(i === 0 ? boundary : (tokens[i - 1] as number), token),
        1,
      ),
    )
    const total = weights.reduce((sum, value) => sum + value, 0)
    const draws = stream(6)
    const counts = new Map(listed.map((tokens) => [text(tokens), 0]))
    for (let i = 0; i < 20_000; i++) {
      const key = text(legal.sample(draws, 6) as Int32Array)
      counts.set(key, (counts.get(key) as number) + 1)
    }
    const expected = weights.map((value) => (20_000 * value) / total)
    const { value, df } = chiSquared([...counts.values()], expected)
    expect(value).toBeLessThan(chiSquaredLimit(df))
  })

  it('are drawn by weights however small or large', () => {
    for (const size of [1e-30, 1e30]) {
      const legal = legalStrings(strictlyLocalTest(matched, 2), () => size)
      expect(legal.sample(stream(1), 100)?.length).toBe(100)
    }
  })

  it('count past the doubles and are still drawn', () => {
    const free = cnf(
      2,
      64,
      [
        [0, 1, 1],
        [0, 0, 1],
      ],
      Array.from({ length: 64 }, (_, t) => [1, t]),
    )
    const legal = legalStrings(strictlyLocalTest(free, 2))
    expect(legal.count(20)).toBe(64 ** 20)
    expect(legal.count(400)).toBe(Number.POSITIVE_INFINITY)
    expect(legal.sample(stream(1), 400)?.length).toBe(400)
  })
})

describe('a model of trigrams', () => {
  it('says how much likelier a string is than one of uniform tokens, its end included', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat(2), { maxLength: 5 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(2), { maxLength: 6 }),
        (sample, tokens) => {
          const marked = (list: readonly number[]) => [3, ...list, 3]
          const times = (...part: readonly number[]) =>
            sample
              .map(marked)
              .flatMap((list) => list.map((_, at) => list.slice(at, at + part.length)))
              .filter((found) => found.join() === part.join()).length
          // A mark at the end is followed by nothing.
          const before = (x: number) => (x === 3 ? times(3) / 2 : times(x))
          const pair = (x: number, y: number) => (times(x, y) + 0.02) / (before(x) + 0.08)
          const triple = (x: number, y: number, z: number) => (times(x, y, z) + 2 * pair(y, z)) / (times(x, y) + 2)
          const whole = marked(tokens)
          const expected = whole
            .slice(1)
            .map((z, i) => 4 * (i === 0 ? pair(3, z) : triple(whole[i - 1] as number, whole[i] as number, z)))
            .reduce((a, b) => a * b, 1)
          const model = ngramModel(sample, 3)
          if (tokens.length > 0) expect(model.ordinariness(tokens) / expected).toBeCloseTo(1, 9)
          expect(model.after(1, 3)).toBeCloseTo(pair(1, 3), 12)
          expect(model.around(3, 0, 1, 2, 0)).toBeCloseTo(triple(3, 0, 1) * triple(0, 1, 2) * triple(1, 2, 0), 12)
          expect(model.around(3, 3, 1, 3, 3)).toBeCloseTo(pair(3, 1) * triple(3, 1, 3), 12)
        },
      ),
    )
  })
})

describe('edited negatives', () => {
  const rules = (grammar: Cnf, grade: 1 | 2 | 3, more: Partial<EditRules> = {}): EditRules => ({
    kinds: ['substitute', 'insert', 'delete'],
    most: 1,
    legality: strictlyLocalTest(grammar, grade),
    model: ngramModel([], grammar.terminals.length),
    ...more,
  })

  it('are outside the language, legal, of the asked length, at most so many edits from a positive', () => {
    let found = 0
    for (let key = 0; key < 25; key++) {
      const grammar = randomGrammar(stream(key), { terminals: 3, nonterminals: 5, lexical: 8, binary: 9 })
      if (grammar === null) continue
      const own = language(grammar, 6)
      const draws = stream(1000 + key)
      const positives = [1, 2, 3, 4, 5, 6].flatMap((n) => members(grammar, n))
      const model = ngramModel(positives, grammar.terminals.length)
      for (const grade of [1, 2, 3] as const)
        for (const most of [1, 2]) {
          const asked = rules(grammar, grade, { most, model })
          const sampler = editSampler(own, neighbourhoodKernel(grammar), asked)
          for (let i = 0; i < 15; i++) {
            const length = 2 + (i % 3)
            const edited = sampler(draws, length)
            if (edited === null) continue
            found++
            expect(edited.length).toBe(length)
            expect(accepts(grammar, [...edited])).toBe(false)
            expect(isStrictlyLocal(asked.legality, edited)).toBe(true)
            const nearest = Math.min(...positives.map((positive) => editDistance(positive, edited)))
            expect(nearest).toBeLessThanOrEqual(most)
          }
        }
    }
    expect(found).toBeGreaterThan(200)
  })

  it('are listed without repeats and completely', () => {
    const own = language(matched, 10)
    const kernel = neighbourhoodKernel(matched)
    const chooser = editChooser(strictlyLocalTest(matched, 1), ngramModel([], 2))
    const source = own.sampler.sample(stream(2), 6)
    for (const kind of ['substitute', 'insert', 'delete'] as const) {
      const listed = chooser.list(source, kind, kernel(source)).map((edit) => text(applyEdit(source, edit)))
      const truth = new Set<string>()
      for (let at = 0; at <= source.length; at++)
        for (let token = 0; token < 2; token++) {
          if (kind !== 'insert' && at === source.length) continue
          const string = applyEdit(source, kind === 'delete' ? { kind, at } : { kind, at, token })
          if (!accepts(matched, [...string])) truth.add(text(string))
        }
      expect(listed.length).toBe(truth.size)
      expect(new Set(listed)).toEqual(truth)
    }
  })

  it('follow the model: one place redrawn as the model has it, accepted when that leaves the language', () => {
    const grammar = randomGrammar(stream(22), { terminals: 6, nonterminals: 6, lexical: 10, binary: 12 })
    if (grammar === null) throw new Error('seed 22 gives a grammar')
    const own = language(grammar, 8)
    const draws = stream(4)
    const reached = attainableLengths(own.lengths)
    const sample = Array.from({ length: 400 }, (_, i) =>
      own.sampler.sample(draws, reached[i % reached.length] as number),
    )
    const terminals = grammar.terminals.length
    const model = ngramModel(sample, terminals)
    const legality = strictlyLocalTest(grammar, 2)
    const source = own.sampler.sample(stream(8), 6)
    const hood = neighbourhoodKernel(grammar)(source)
    const at = (i: number) => (i < 0 || i >= source.length ? terminals : (source[i] as number))
    const expected = new Map<string, number>()
    let total = 0
    for (let p = 0; p < source.length; p++) {
      const weight = (t: number) => {
        const string = Int32Array.from(source)
        string[p] = t
        return isStrictlyLocal(legality, string) ? model.around(at(p - 2), at(p - 1), t, at(p + 1), at(p + 2)) : 0
      }
      const sum = grammar.terminals.reduce((s, _, t) => s + weight(t), 0)
      for (let t = 0; t < terminals; t++) {
        const string = applyEdit(source, { kind: 'substitute', at: p, token: t })
        if (t === source[p] || weight(t) === 0 || accepts(grammar, [...string])) continue
        expected.set(text(string), weight(t) / sum)
        total += weight(t) / sum
      }
    }
    expect(expected.size).toBeGreaterThan(4)
    const chooser = editChooser(legality, model)
    const counts = new Map<string, number>()
    const n = 20_000
    for (let i = 0; i < n; i++) {
      const edit = chooser.choose(draws, source, 'substitute', hood)
      if (edit === null) throw new Error('there are such edits')
      const key = text(applyEdit(source, edit))
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    for (const key of counts.keys()) expect(expected.has(key)).toBe(true)
    const keys = [...expected.keys()]
    const { value, df } = chiSquared(
      keys.map((key) => counts.get(key) ?? 0),
      keys.map((key) => ((expected.get(key) as number) / total) * n),
    )
    expect(value).toBeLessThan(chiSquaredLimit(df))
  })

  it('delete by the model: the token that stands at a place against none', () => {
    const own = language(matched, 10)
    const draws = stream(9)
    const lengths = attainableLengths(own.lengths)
    const sample = Array.from({ length: 200 }, (_, i) =>
      own.sampler.sample(draws, lengths[i % lengths.length] as number),
    )
    const model = ngramModel(sample, 2)
    const source = own.sampler.sample(draws, 8)
    const hood = neighbourhoodKernel(matched)(source, 'delete')
    const at = (i: number) => (i < 0 || i >= source.length ? model.boundary : (source[i] as number))
    const share = (p: number) => {
      const none = model.after(at(p - 1), at(p + 1))
      return none / (none + model.after(at(p - 1), at(p)) * model.after(at(p), at(p + 1)))
    }
    const chooser = editChooser(strictlyLocalTest(matched, 1), model)
    const edits = chooser.list(source, 'delete', hood)
    expect(edits.length).toBeGreaterThan(1)
    const total = edits.reduce((sum, { at: place }) => sum + share(place), 0)
    const counts = new Map(edits.map(({ at: place }) => [place, 0]))
    for (let i = 0; i < 5000; i++) {
      const edit = chooser.choose(draws, source, 'delete', hood)
      if (edit === null) throw new Error('there are such edits')
      counts.set(edit.at, (counts.get(edit.at) as number) + 1)
    }
    const { value, df } = chiSquared(
      [...counts.values()],
      edits.map(({ at: place }) => (5000 * share(place)) / total),
    )
    expect(value).toBeLessThan(chiSquaredLimit(df))
  })

  it('are proved to be all there are where the positives are few', () => {
    const rosterUpTo = (longest: number) =>
      all(editNegatives(language(matched, longest), rules(matched, 1), acceptsOf(matched), 4)(4, stream(1)))
    // A string of four may come from one of five, which must be there to be listed.
    expect(rosterUpTo(4).proved).toBe(false)
    expect(rosterUpTo(5)).toEqual(rosterUpTo(8))
    const { entries, proved } = rosterUpTo(8)
    const truth = new Set<string>()
    for (const s of strings(2, 4)) {
      if (accepts(matched, s)) continue
      const near = [3, 4, 5].some((n) => members(matched, n).some((positive) => editDistance(positive, s) === 1))
      if (near) truth.add(text(s))
    }
    expect(proved).toBe(true)
    expect(new Set(entries.map(text))).toEqual(truth)
  })

  it('are proved absent where every string is in the language', () => {
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
    const own = language(everything, 9)
    for (const grade of [1, 2] as const) {
      const roster = editNegatives(own, rules(everything, grade, { most: 2 }), acceptsOf(everything), 4)(6, stream(1))
      expect(all(roster)).toEqual({ entries: [], proved: true })
    }
  })

  it('look like positives: token and trigram shares within a few per cent', () => {
    const grammar = randomGrammar(stream(12), { terminals: 12, nonterminals: 14, lexical: 20, binary: 28 })
    if (grammar === null) throw new Error('seed 12 gives a grammar')
    const own = language(grammar, 20)
    const draws = stream(13)
    const positives = Array.from({ length: 1500 }, () => own.sampler.sample(draws, 20))
    const model = ngramModel(positives, grammar.terminals.length)
    const shares = (sets: readonly Int32Array[]) => {
      const counts = new Float64Array(grammar.terminals.length)
      for (const tokens of sets) for (const t of tokens) counts[t]! += 1 / (sets.length * 20)
      return counts
    }
    const distance = (by: EditRules['model']) => {
      const sampler = editSampler(
        own,
        neighbourhoodKernel(grammar),
        rules(grammar, 2, { kinds: ['substitute'], model: by }),
      )
      const negatives: Int32Array[] = []
      while (negatives.length < 1500) {
        const edited = sampler(draws, 20)
        if (edited !== null) negatives.push(edited)
      }
      const [p, q] = [shares(positives), shares(negatives)]
      return p.reduce((sum, share, t) => sum + Math.abs(share - (q[t] as number)), 0) / 2
    }
    const modelled = distance(model)
    expect(modelled).toBeLessThan(0.03)
    expect(modelled).toBeLessThan(distance(ngramModel([], grammar.terminals.length)))
  })
})

describe('published and bigram negatives', () => {
  it('are exactly the strings outside the language, where these are few', () => {
    fc.assert(
      fc.property(small, fc.nat(), fc.integer({ min: 1, max: 4 }), (grammar, key, n) => {
        const terminals = grammar.terminals.length
        const legality = strictlyLocalTest(grammar, 2)
        const outside = [...strings(terminals, n)].filter((s) => !accepts(grammar, s))
        const uniform = all(uniformNegatives(terminals, acceptsOf(grammar))(n, stream(key)))
        expect(uniform.proved).toBe(true)
        expect(uniform.entries.map(text).sort()).toEqual(outside.map(text).sort())
        const bigram = all(bigramNegatives(legalStrings(legality), acceptsOf(grammar), 20)(n, stream(key)))
        expect(bigram.proved).toBe(true)
        expect(bigram.entries.map(text).sort()).toEqual(
          outside
            .filter((s) => isStrictlyLocal(legality, s))
            .map(text)
            .sort(),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('are given up without a proof where members are everywhere and strings too many to list', () => {
    const everything = cnf(
      2,
      9,
      [
        [0, 1, 1],
        [0, 0, 1],
      ],
      Array.from({ length: 9 }, (_, t) => [1, t]),
    )
    const roster = uniformNegatives(9, acceptsOf(everything), 2)(8, stream(1))
    expect(roster.at(0)).toEqual({ kind: 'exhausted', count: 0, proved: false })
  })

  it('never repeat and stay outside in larger spaces', () => {
    const grammar = randomGrammar(stream(3), { terminals: 9, nonterminals: 12, lexical: 18, binary: 20 })
    if (grammar === null) throw new Error('seed 3 gives a grammar')
    expect(insideWeight(language(grammar, 12).inside, 12)).toBeGreaterThan(0)
    const { entries } = all(
      bigramNegatives(legalStrings(strictlyLocalTest(grammar, 2)), acceptsOf(grammar), 20)(12, stream(5)),
      200,
    )
    expect(new Set(entries.map(text)).size).toBe(entries.length)
    for (const tokens of entries) expect(accepts(grammar, [...tokens])).toBe(false)
  })
})
