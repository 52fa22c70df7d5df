import { expect } from 'vitest'

/** Relative agreement, or absolute below `floor`; says both numbers where it fails. */
export function expectClose(actual: number, expected: number, relative: number, floor = 0): void {
  const error = Math.abs(actual - expected)
  const allowed = Math.max(relative * Math.abs(expected), floor)
  expect(error <= allowed, `${actual} is ${error} away from ${expected}, allowed ${allowed}`).toBe(true)
}
