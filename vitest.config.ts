import { availableParallelism } from 'node:os'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { inside, type Suite, suites } from './scripts/testing/suites.ts'
import { sample } from './test/nightly.ts'

const conditions = ['touchstone-source', 'module', 'node', 'development|production']
const resolve = { conditions }
const ssr = { resolve: { conditions, externalConditions: ['touchstone-source', 'node'] } }

/** What a plugin outside the repository imports by name is found from here, as where a command loads it (`watchImports`). */
const ofPlugins: Plugin = {
  name: 'imports of plugins',
  enforce: 'pre',
  resolveId(name, importer) {
    const ours = /^(?:@touchstone-eval\/touchstone|zod)(?:\/|$)/u.test(name)
    if (!ours || importer?.startsWith(import.meta.dirname) !== false) return null
    return this.resolve(name, import.meta.filename, { skipSelf: true })
  },
}

const project = (suite: Suite) => ({
  resolve,
  ssr,
  plugins: [ofPlugins],
  test: {
    name: suite.name,
    isolate: suite.isolate,
    globalSetup: suite.setup === undefined ? [] : [suite.setup],
    include: [`test/${suite.folder}/**/*.test.ts`],
    exclude: inside(suite).map((folder) => `test/${folder}/**`),
    testTimeout: sample({ nightly: 5, otherwise: 1 }) * suite.seconds * 1000,
    hookTimeout: suite.seconds * 1000,
  },
})

export default defineConfig({
  resolve,
  ssr,
  test: {
    // More than cores: many tests wait for a process, a browser or a clock.
    maxWorkers: Math.min(8, 2 * availableParallelism()),
    projects: suites.map(project),
  },
})
