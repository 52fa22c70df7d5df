import { expect, it } from 'vitest'
import { verdictOf } from '../../../scripts/testing/advisories.ts'

it.each([
  ['{"metadata": {"vulnerabilities": {"total": 0}}}', { passed: 1, failed: 0, skipped: 0 }],
  ['{"metadata": {"vulnerabilities": {"total": 2}}}', { passed: 0, failed: 1, skipped: 0 }],
  ['{"message": "405 Method Not Allowed", "error": {"summary": ""}}', { passed: 0, failed: 0, skipped: 1 }],
  ['{"error": {"code": "ENOTFOUND", "summary": "request failed"}}', { passed: 0, failed: 0, skipped: 1 }],
  ['npm error', { passed: 0, failed: 0, skipped: 1 }],
  ['', { passed: 0, failed: 0, skipped: 1 }],
])('reads what npm audit answers: %s', (output, counts) => {
  const verdict = verdictOf(output)
  expect(verdict.counts).toEqual(counts)
  expect(verdict.text.startsWith('NOT CHECKED')).toBe(counts.skipped === 1)
})
