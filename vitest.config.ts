import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { inside, type Suite, suites } from './scripts/testing/suites.ts'
import { sample } from './test/nightly.ts'

const conditions = ['touchstone-source', 'module', 'node', 'development|production']
const resolve = { conditions }
const ssr = { resolve: { conditions, externalConditions: ['touchstone-source', 'node'] } }

const project = (suite: Suite) => ({
  resolve,
  ssr,
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
