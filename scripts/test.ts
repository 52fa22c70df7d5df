import { parseArgs } from 'node:util'
import { runSteps, steps } from './testing/steps.ts'
import { exitCode, table } from './testing/table.ts'

const usage = `npm test [-- --only STEP,..] [--nightly]

--nightly      every sample at its full size (test/nightly.ts), which takes about an hour

${steps.map((step) => `  ${step.name.padEnd(12)} ${step.checks}`).join('\n')}
`

interface Plan {
  readonly names: readonly string[]
  readonly nightly: boolean
}

/** What is asked for, or the reason why it cannot be done. */
function planOf(args: readonly string[]): Plan | string {
  let values: { readonly only?: string; readonly nightly?: boolean }
  try {
    const options = { only: { type: 'string' }, nightly: { type: 'boolean' } } as const
    values = parseArgs({ args: [...args], options }).values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const { only, nightly = false } = values
  if (only === undefined) return { names: steps.map(({ name }) => name), nightly }
  const names = only.split(',')
  const unknown = names.filter((name) => !steps.some((step) => step.name === name))
  if (unknown.length > 0) return `no step is called ${unknown.map((name) => JSON.stringify(name)).join(', ')}`
  return { names, nightly }
}

const args = process.argv.slice(2)
const plan = planOf(args)
if (args.includes('--help')) process.stdout.write(usage)
else if (typeof plan === 'string') {
  process.stderr.write(`${plan}\n\n${usage}`)
  process.exitCode = 2
} else {
  if (plan.nightly) process.env['TOUCHSTONE_NIGHTLY'] = '1'
  const results = await runSteps(plan.names)
  process.stdout.write(`\n${table(results)}`)
  process.exitCode = exitCode(results)
}
