import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { inside, type Suite, suites } from './scripts/testing/suites.ts'
import { sample } from './test/nightly.ts'

const project = (suite: Suite) => ({
  test: {
    name: suite.name,
    isolate: suite.isolate,
    // Node itself loads what is tested, as the launcher does: its types are stripped once, and loops run at full speed.
    execArgv: ['--conditions=touchstone-source'],
    experimental: { viteModuleRunner: false },
    globalSetup: suite.setup === undefined ? [] : [suite.setup],
    include: [`test/${suite.folder}/**/*.test.ts`],
    exclude: inside(suite).map((folder) => `test/${folder}/**`),
    testTimeout: sample({ nightly: 5, otherwise: 1 }) * suite.seconds * 1000,
    hookTimeout: suite.seconds * 1000,
  },
})

export default defineConfig({
  test: {
    // More than cores: many tests wait for a process, a browser or a clock.
    maxWorkers: Math.min(8, 2 * availableParallelism()),
    projects: suites.map(project),
  },
})
