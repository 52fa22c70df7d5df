import { howToInstall, provideBrowser } from './browser.ts'
import { provideLlama } from './llama.ts'
import { add, type Counts, failed, passed, type Step, skipped, tool } from './step.ts'
import { vitest } from './vitest.ts'

const colors = process.env['NO_COLOR'] === undefined ? [] : ['--colors=off']

/** A program as one check: it passes with exit code 0. */
const check = async (name: string, ...args: string[]): Promise<Counts> =>
  (await tool(name, args)) === 0 ? passed : failed

const project = (name: string, checks: string): Step => ({ name, checks, run: () => vitest(name) })

/** Everything `npm test` runs, in order. */
export const steps: readonly Step[] = [
  {
    name: 'typecheck',
    checks: 'TypeScript accepts every project',
    // --force: an incremental build of TypeScript 7 does not notice every change of its settings.
    run: () => check('tsc', '-b', '--force'),
  },
  {
    name: 'lint',
    checks: 'Biome, oxlint and knip find nothing',
    run: async () =>
      add([
        await check('biome', 'ci', '--error-on-warnings', ...colors, '.'),
        await check('oxlint', '--type-aware', '--deny-warnings'),
        await check('knip'),
      ]),
  },
  project('layers', 'imports go down the pipeline only, and no shared code names a task'),
  project('unit', 'behaviour of each module'),
  project('contract', 'the laws that every task, model and store obeys'),
  {
    name: 'conformance',
    checks: 'published data give the published numbers (TOUCHSTONE_SHARED, else ../shared)',
    run: async () => {
      await provideLlama()
      return vitest('conformance')
    },
  },
  project('tarball', 'the packed package installs, runs, generates and is typed in an empty folder'),
  project('e2e', 'whole commands, the launcher, and every example'),
  { name: 'browser', checks: 'Chromium computes the same bytes (CHROME_PATH, else on PATH)', run: browser },
]

async function browser(): Promise<Counts> {
  const path = await provideBrowser()
  if (path !== undefined) return vitest('browser', { CHROME_PATH: path })
  process.stdout.write(`no Chromium found: ${howToInstall}\n`)
  return process.env['CI'] === 'true' ? failed : skipped
}
