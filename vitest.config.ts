import { defineConfig } from 'vitest/config'

const conditions = ['touchstone-source', 'module', 'node', 'development|production']
const resolve = { conditions }
const ssr = { resolve: { conditions, externalConditions: ['touchstone-source', 'node'] } }

/** One folder under test/ is one project; `seconds` is its longest allowed test. */
const project = (name: string, seconds: number) => ({
  resolve,
  ssr,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: seconds * 1000,
    hookTimeout: seconds * 1000,
  },
})

export default defineConfig({
  resolve,
  ssr,
  test: {
    projects: [
      project('unit', 60),
      project('contract', 300),
      project('conformance', 300),
      project('e2e', 600),
      project('browser', 120),
    ],
  },
})
