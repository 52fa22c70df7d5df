import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { sample } from './test/nightly.ts'

const conditions = ['touchstone-source', 'module', 'node', 'development|production']
const resolve = { conditions }
const ssr = { resolve: { conditions, externalConditions: ['touchstone-source', 'node'] } }

interface Project {
  readonly name: string
  /** A folder under test/. */
  readonly folder?: string
  readonly without?: string
  /** The longest allowed test; samples of the nightly run are larger. */
  readonly seconds: number
  /** Does each file get modules of its own? Where none changes what modules hold, to load them once takes half the time. */
  readonly isolate?: boolean
  /** What is made once for all files. */
  readonly setup?: string
}

const project = ({ name, folder = name, without, seconds, isolate = true, setup }: Project) => ({
  resolve,
  ssr,
  test: {
    name,
    isolate,
    globalSetup: setup === undefined ? [] : [setup],
    include: [`test/${folder}/**/*.test.ts`],
    exclude: without === undefined ? [] : [`test/${without}/**`],
    testTimeout: sample({ nightly: 5, otherwise: 1 }) * seconds * 1000,
    hookTimeout: seconds * 1000,
  },
})

/** One project for each step of scripts/testing/steps.ts that runs tests. */
export default defineConfig({
  resolve,
  ssr,
  test: {
    // More than cores: many tests wait for a process, a browser or a clock.
    maxWorkers: Math.min(8, 2 * availableParallelism()),
    projects: [
      project({ name: 'layers', folder: 'unit/layers', seconds: 60 }),
      project({ name: 'unit', without: 'unit/layers', seconds: 60, isolate: false }),
      project({ name: 'contract', seconds: 300 }),
      project({ name: 'conformance', seconds: 300 }),
      project({ name: 'tarball', folder: 'e2e/package', seconds: 600 }),
      project({ name: 'e2e', without: 'e2e/package', seconds: 600 }),
      project({ name: 'browser', seconds: 120, setup: 'test/browser/view/client.ts' }),
    ],
  },
})
