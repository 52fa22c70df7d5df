import { expect, test } from 'vitest'
import { modelShortNames } from '../../../src/core/index.ts'

const short = (...models: readonly string[]) => [...modelShortNames(models).values()]

test('providers, paths and dates go; baselines are marked', () => {
  expect(short('openai:gpt-5-mini-2026-01-31', 'baseline:cyk', 'hf:org/Model-7B')).toEqual([
    'gpt-5-mini',
    'cyk (baseline)',
    'Model-7B',
  ])
})
test('a step is not taken where names would become equal', () => {
  expect(short('openai:gpt-5', 'azure:gpt-5')).toEqual(['openai:gpt-5', 'azure:gpt-5'])
  expect(short('openai:m-2025-01-01', 'openai:m-2026-01-01')).toEqual(['m-2025-01-01', 'm-2026-01-01'])
})
test('settings stay', () => {
  expect(short('openai:a/gpt-5 (effort high)', 'openai:a/gpt-5 (effort low)')).toEqual([
    'gpt-5 (effort high)',
    'gpt-5 (effort low)',
  ])
})
test('long names are cut in the middle, and stay distinct', () => {
  const [one] = short(`vllm:${'x'.repeat(40)}-end`)
  expect(one).toHaveLength(32)
  expect(one?.endsWith('-end')).toBe(true)
})
test('no names, no map; the same name once', () => {
  expect(short()).toEqual([])
  expect(short('a:b', 'a:b')).toEqual(['b'])
})
