import { checkAdvisories } from './advisories.ts'
import { howToInstall, provideBrowser } from './browser.ts'
import { checkLicences } from './licences.ts'
import { provideLlama } from './llama.ts'
import { add, type Check, type Counts, execute, failed, passed, type Step, skipped, tool } from './step.ts'
import { type Suite, suites } from './suites.ts'
import type { Result } from './table.ts'
import { vitest } from './vitest.ts'

const colors = process.env['NO_COLOR'] === undefined ? [] : ['--colors=off']

/** A program as one check: it passes with exit code 0. */
const check = async (name: string, ...args: string[]): Promise<Counts> =>
  (await tool(name, args)) === 0 ? passed : failed

const checks: readonly Check[] = [
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
  {
    name: 'docs',
    checks: 'the site is made: no link of it is broken, every exported name has a comment and an example',
    run: async () => ((await execute(process.execPath, ['scripts/docs.ts'])) === 0 ? passed : failed),
  },
  {
    name: 'advisories',
    checks: 'no package of production has a known advisory, where the registry answers',
    run: async () => checkAdvisories(),
  },
  {
    name: 'licences',
    checks: 'every package of production has a licence that fits',
    run: async () => checkLicences(),
  },
]

/** Everything `npm test` runs, in the order of its table. */
export const steps: readonly Step[] = [...checks, ...suites]

/** Runs the steps of these names: checks one after the other, then all suites together. */
export async function runSteps(names: readonly string[]): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const step of checks.filter(({ name }) => names.includes(name))) {
    process.stdout.write(`\n== ${step.name}: ${step.checks}\n`)
    const start = performance.now()
    const counts = await step.run().catch(told)
    results.push({ name: step.name, counts, seconds: (performance.now() - start) / 1000 })
  }
  const asked = suites.filter(({ name }) => names.includes(name))
  if (asked.length === 0) return results
  const tested = await runSuites(asked).catch((error: unknown) => [{ name: 'tests', counts: told(error), seconds: 0 }])
  return [...results, ...tested]
}

/** What cannot even be started is a failure. */
function told(error: unknown): Counts {
  console.error(error)
  return failed
}

async function runSuites(asked: readonly Suite[]): Promise<readonly Result[]> {
  process.stdout.write(`\n== ${asked.map(({ name, checks }) => `${name}: ${checks}`).join('\n== ')}\n`)
  const wanted = (name: string) => asked.some((suite) => suite.name === name)
  if (wanted('conformance')) await provideLlama()
  const path = wanted('browser') ? await provideBrowser() : undefined
  if (!wanted('browser') || path !== undefined) return vitest(asked, path === undefined ? {} : { CHROME_PATH: path })
  process.stdout.write(`no Chromium found: ${howToInstall}\n`)
  const missing = { name: 'browser', counts: process.env['CI'] === 'true' ? failed : skipped, seconds: 0 }
  const others = asked.filter(({ name }) => name !== 'browser')
  return others.length === 0 ? [missing] : [...(await vitest(others, {})), missing]
}
