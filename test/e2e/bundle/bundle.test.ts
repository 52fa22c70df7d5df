import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { build } from 'vite'
import { beforeAll, expect, test } from 'vitest'
import { nightly } from '../../nightly.ts'
import * as here from './entry.ts'

/** A place that has what browsers and Node share in computing, and nothing of either. */
const bare = createContext({ TextEncoder, TextDecoder })
let code: string
beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['touchstone-source', 'module', 'browser'] },
    build: {
      write: false,
      minify: false,
      target: 'es2024',
      lib: { entry: join(import.meta.dirname, 'entry.ts'), formats: ['iife'], name: 'touchstone' },
    },
  })
  const [output] = Array.isArray(built) ? built : [built]
  if (output === undefined || !('output' in output)) throw new Error('nothing was built')
  expect(output.output).toHaveLength(1)
  code = output.output[0].code
  runInContext(code, bare)
})
const inBundle = (call: string): unknown => JSON.parse(runInContext(`JSON.stringify(touchstone.${call})`, bare))

test('the bundle asks for nothing of Node', () => {
  expect(code).not.toMatch(/["']node:|__vite-browser-external|\brequire\(/)
})

// Chromium makes such items in every run, in test/browser/content.test.ts.
test.runIf(nightly)('it makes the items that Node makes, to the root, of every task', () => {
  expect(inBundle('roots(12)')).toEqual(here.roots(12))
})

test('the libraries give what they give in Node', () => {
  expect(inBundle('sample()')).toEqual(JSON.parse(JSON.stringify(here.sample())))
})
