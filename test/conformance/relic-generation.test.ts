import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  compileRecognizer,
  derivesLength,
  language,
  neighbourhoodKernel,
  parseRelicGrammar,
} from '../../src/libraries/grammars/index.ts'
import { applyEdit, type Edit } from '../../src/libraries/grammars/negatives/edit-negatives.ts'
import { strictlyLocalTest } from '../../src/libraries/grammars/negatives/strictly-local.ts'
import { unpack } from '../../src/libraries/grammars/sample/distinct.ts'
import { positiveRoster } from '../../src/libraries/grammars/sample/distinct-sequence.ts'
import { insideWeight } from '../../src/libraries/grammars/sample/inside.ts'
import { isStrictlyLocal, stream } from '../unit/grammars/generation-oracles.ts'

const shared = process.env['TOUCHSTONE_SHARED'] ?? join(import.meta.dirname, '../../../shared')
const root = join(shared, 'data/relic-500-sample/data/grammars')
const present = existsSync(root)

const grammars = (present ? readdirSync(root) : []).map((name) => {
  const grammar = parseRelicGrammar(readFileSync(join(root, name, `${name}.cfg`), 'utf8'))
  const numbers = new Map(grammar.terminals.map((t, i) => [t, i]))
  const [, ...rows] = readFileSync(join(root, name, 'filtered_samples.csv'), 'utf8')
    .trimEnd()
    .split(/\r?\n/)
  const positives = rows
    .filter((row) => row.includes(',positive,'))
    .map((row) => (row.split(',')[0] as string).split(' ').map((token) => numbers.get(token) as number))
  return { name, grammar, positives, own: language(grammar, 50), recognizer: compileRecognizer(grammar) }
})

describe.skipIf(!present)('generation from the released RELIC grammars (skipped where the data is not there)', () => {
  it('finds every released positive possible: derivable length, positive weight, legal in every trigram', () => {
    let seen = 0
    for (const { grammar, positives, own } of grammars) {
      const legality = strictlyLocalTest(grammar, 3)
      for (const tokens of positives) {
        seen++
        if (!derivesLength(own.lengths, 0, tokens.length) || !isStrictlyLocal(legality, tokens))
          expect(tokens).toBeNull()
        if (!(insideWeight(own.inside, tokens.length) > 0)) expect(tokens).toBeNull()
      }
    }
    expect(seen).toBe(1173)
  })

  it('never counts fewer strings in a cell than were released, and lists all of those where it lists all', () => {
    let complete = 0
    for (const { positives, own } of grammars)
      for (let n = 1; n <= 50; n++) {
        const released = new Set(positives.filter((s) => s.length === n).map((s) => s.join(' ')))
        const cell = own.distinct(11).cell(n)
        expect(cell.strings.length).toBeGreaterThanOrEqual(released.size)
        if (!cell.complete) continue
        complete++
        const all = new Set(cell.strings.map((packed) => unpack(packed).join(' ')))
        for (const text of released) expect(all.has(text)).toBe(true)
      }
    expect(complete).toBeGreaterThan(0)
  })

  it('fills every cell with ten distinct members or proves that there are no more', () => {
    for (const { own, recognizer } of grammars)
      for (let n = 1; n <= 50; n++) {
        const roster = positiveRoster(own, n, stream(n))
        const seen = new Set<string>()
        let end: { count: number; proved: boolean } | null = null
        for (let o = 0; o < 10 && end === null; o++) {
          const listed = roster.at(o)
          if (listed.kind === 'exhausted') end = listed
          else {
            if (!recognizer.accepts(listed.entry)) expect(listed.entry).toBeNull()
            seen.add(listed.entry.join(' '))
          }
        }
        const cell = own.distinct(10).cell(n)
        expect(seen.size).toBe(Math.min(10, cell.strings.length))
        if (end !== null) expect(end).toMatchObject({ count: seen.size, proved: true })
      }
  })

  it('classifies the neighbours of its positives as the recogniser does', () => {
    const wrong: string[] = []
    let checked = 0
    for (const { name, grammar, own, recognizer } of grammars) {
      const kernel = neighbourhoodKernel(grammar)
      const terminals = grammar.terminals.length
      const draws = stream(1)
      for (const length of [2, 5, 9, 14, 20, 27, 33, 41, 50]) {
        if (!derivesLength(own.lengths, 0, length)) continue
        const hood = kernel(own.sampler.sample(draws, length))
        const { tokens, tokenWords } = hood
        const check = (edit: Edit, member: boolean) => {
          checked++
          if (recognizer.accepts(applyEdit(tokens, edit)) !== member) wrong.push(`${name} ${JSON.stringify(edit)}`)
        }
        for (let at = 0; at <= length; at++) {
          for (let token = at % 3; token < terminals; token += 3) {
            const said = (set: Int32Array) =>
              (((set[at * tokenWords + (token >>> 5)] as number) >>> (token & 31)) & 1) === 1
            check({ kind: 'insert', at, token }, said(hood.insertions))
            if (at < length) check({ kind: 'substitute', at, token }, said(hood.substitutions))
          }
          if (at < length && length > 1) check({ kind: 'delete', at }, hood.deletions[at] === 1)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(checked).toBeGreaterThan(20_000)
  })
})
