import type { Step } from './step.ts'

/** One project of vitest.config.ts: the tests of a folder under test/ but for those that a suite of a folder inside it has. */
export interface Suite extends Step {
  readonly folder: string
  /** The longest allowed test; samples of the nightly run are larger. */
  readonly seconds: number
  /** Does each file get modules of its own? Where none changes what modules hold, to load them once takes half the time. */
  readonly isolate: boolean
  /** A module that is run once for all files. */
  readonly setup?: string
}

export const suites: readonly Suite[] = [
  {
    name: 'layers',
    checks: 'imports go down the pipeline only, and no shared code names a task',
    folder: 'unit/layers',
    seconds: 60,
    isolate: true,
  },
  { name: 'unit', checks: 'behaviour of each module', folder: 'unit', seconds: 60, isolate: false },
  {
    name: 'contract',
    checks: 'the contract tests of tasks, models and stores',
    folder: 'contract',
    seconds: 300,
    isolate: false,
  },
  {
    name: 'faults',
    checks: 'every seeded fault of a task is caught by a contract test',
    folder: 'contract/faults',
    seconds: 300,
    // They put faults in the place of modules.
    isolate: true,
  },
  {
    name: 'conformance',
    checks: 'published data give the published numbers (TOUCHSTONE_SHARED, else ../shared)',
    folder: 'conformance',
    seconds: 300,
    isolate: false,
  },
  {
    name: 'tarball',
    checks: 'the packed package installs, runs, generates and is typed in an empty folder',
    folder: 'e2e/package',
    seconds: 600,
    isolate: true,
  },
  {
    name: 'e2e',
    checks: 'whole commands, the launcher, and every example',
    folder: 'e2e',
    seconds: 600,
    isolate: false,
    setup: 'test/e2e/setup.ts',
  },
  {
    name: 'browser',
    checks: 'Chromium computes the same bytes (CHROME_PATH, else on PATH)',
    folder: 'browser',
    seconds: 120,
    isolate: false,
    setup: 'test/browser/setup.ts',
  },
]

/** The folders inside that of a suite which have suites of their own. */
export const inside = ({ folder }: Suite): readonly string[] =>
  suites.map((suite) => suite.folder).filter((other) => other.startsWith(`${folder}/`))

/** The suite of a test file, by its path from the root of the project. */
export const suiteOf = (file: string): Suite | undefined =>
  suites.find(
    (suite) =>
      file.startsWith(`test/${suite.folder}/`) && !inside(suite).some((other) => file.startsWith(`test/${other}/`)),
  )
