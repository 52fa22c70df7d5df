import { expect, it } from 'vitest'
import { parseRelicGrammar } from '../../../src/libraries/grammars/index.ts'
import { strictlyLocalTest } from '../../../src/libraries/grammars/negatives/strictly-local.ts'
import { sample } from '../../nightly.ts'
import { itemsOf, open } from './items.ts'

/** How many hard negatives of a few grammars keep every trigram legal. */
function trigramLegal(hardGrade: 2 | 3): { readonly legal: number; readonly all: number } {
  const source = open('relic-hard', 'test', {
    grammars: 8,
    pool: 16,
    maxLength: 16,
    perCell: 4,
    twins: 'none',
    hardGrade,
  })
  let [legal, all] = [0, 0]
  for (const { shared, given, answer } of itemsOf(source, 8, sample({ nightly: 200, otherwise: 60 }))) {
    if (answer) continue
    const grammar = parseRelicGrammar(shared.grammar)
    const { join, boundary } = strictlyLocalTest(grammar, 3)
    const tokens = given.string.split(' ').map((name) => grammar.terminals.indexOf(name))
    const at = (i: number) => tokens[i] ?? boundary
    all++
    if ([...tokens, boundary].every((_, i) => join(at(i - 2), at(i - 1), at(i), at(i + 1)))) legal++
  }
  return { legal, all }
}

it('hard negatives of grade 3 keep every trigram legal; those of grade 2 need not', () => {
  const strict = trigramLegal(3)
  expect(strict.all).toBeGreaterThan(20)
  expect(strict.legal).toBe(strict.all)
  const usual = trigramLegal(2)
  expect(usual.legal).toBeLessThan(usual.all)
})
