import { describe, expect, it } from 'vitest'
import { judgeDeclared } from '../../../../src/datasets/audit/decide.ts'

type Judged = Parameters<typeof judgeDeclared>
const cue = (low: number, high: number): Judged[0] => ({ probe: 'x', gain: [low, high], why: 'so' })
const test = (low: number, high: number, p: number): Judged[1] =>
  ({ probe: 'x', p, ci: [low, high], gain: (low + high) / 2, n: 1000 }) as unknown as Judged[1]
const status = (declared: Judged[0], measured: Judged[1], groups = 100) =>
  judgeDeclared(declared, measured, 0.01, groups).status

describe('a declared shortcut', () => {
  it('holds where the interval of its gain meets the declared one', () => {
    expect(status(cue(0.1, 0.2), test(0.12, 0.16, 1e-9))).toBe('declared')
    expect(status(cue(0.1, 0.2), test(0.19, 0.25, 1e-9))).toBe('declared')
    expect(status(cue(0.1, 0.2), test(0.05, 0.11, 1e-9))).toBe('declared')
  })

  it('fails where more is gained than declared', () => {
    expect(status(cue(0.1, 0.2), test(0.21, 0.25, 1e-9))).toBe('fail')
  })

  it('fails where less is gained than declared, and something is: it describes another set', () => {
    expect(status(cue(0.1, 0.2), test(0.02, 0.09, 1e-9))).toBe('fail')
  })

  it('of few groups can only fail by too much', () => {
    expect(status(cue(0.1, 0.2), test(0.02, 0.09, 1e-9), 19)).toBe('declared')
    expect(status(cue(0.1, 0.2), test(0.21, 0.25, 1e-9), 19)).toBe('fail')
  })

  it('is stale where nothing is found, unless nothing was declared possible', () => {
    expect(status(cue(0.1, 0.2), test(-0.02, 0.03, 0.6))).toBe('not-found')
    expect(status(cue(0, 0.2), test(-0.02, 0.03, 0.6))).toBe('declared')
  })
})
