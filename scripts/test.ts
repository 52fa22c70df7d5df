import { parseArgs } from 'node:util'
import { type Counts, failed, type Step } from './testing/step.ts'
import { steps } from './testing/steps.ts'
import { exitCode, type Result, table } from './testing/table.ts'

const usage = `npm test [-- --only STEP,..]

${steps.map((step) => `  ${step.name.padEnd(12)} ${step.checks}`).join('\n')}
`

/** The steps asked for, or the reason why they cannot be chosen. */
function chosen(args: readonly string[]): readonly Step[] | string {
  let only: string | undefined
  try {
    only = parseArgs({ args: [...args], options: { only: { type: 'string' } } }).values.only
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  if (only === undefined) return steps
  const names = only.split(',')
  const unknown = names.filter((name) => !steps.some((step) => step.name === name))
  if (unknown.length > 0) return `no step is called ${unknown.map((name) => JSON.stringify(name)).join(', ')}`
  return steps.filter((step) => names.includes(step.name))
}

async function counts(step: Step): Promise<Counts> {
  try {
    return await step.run()
  } catch (error) {
    console.error(error)
    return failed
  }
}

const args = process.argv.slice(2)
const plan = chosen(args)
if (args.includes('--help')) process.stdout.write(usage)
else if (typeof plan === 'string') {
  process.stderr.write(`${plan}\n\n${usage}`)
  process.exitCode = 2
} else {
  const results: Result[] = []
  for (const step of plan) {
    process.stdout.write(`\n== ${step.name}: ${step.checks}\n`)
    const start = performance.now()
    results.push({ name: step.name, counts: await counts(step), seconds: (performance.now() - start) / 1000 })
  }
  process.stdout.write(`\n${table(results)}`)
  process.exitCode = exitCode(results)
}
