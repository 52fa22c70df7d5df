import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRun, executeRun, openRun, readExperiment } from '../../src/runner/index.ts'
import { mockContext } from './context.ts'

/** A run of the parity task as a separate process, to be killed: makes the run or takes it up again, prints its end as JSON. */
const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    url: { type: 'string', default: 'http://127.0.0.1:9/v1' },
    count: { type: 'string', default: '100' },
    timeout: { type: 'string', default: '5' },
    concurrency: { type: 'string', default: '100' },
    model: { type: 'string', default: 'openai-compatible:m' },
    price: { type: 'string', default: 'null' },
    usd: { type: 'string', default: 'null' },
    'max-tokens': { type: 'string', default: '1000' },
  },
})
const dir = values.dir ?? ''
const context = mockContext({
  env: { ...(process.env as { [name: string]: string }), OPENAI_COMPATIBLE_BASE_URL: values.url },
})
const stop = new AbortController()
const abort = new AbortController()
process.on('SIGINT', () => (stop.signal.aborted ? abort.abort() : stop.abort()))
try {
  const run = existsSync(join(dir, 'run.json'))
    ? await openRun(dir, context, { mode: 'write' })
    : await createRun(
        {
          dir,
          experiment: readExperiment(`
items: { task: mock/parity, preset: endless, count: ${values.count} }
models: [{ model: "${values.model}"${values.price === 'null' ? '' : `, price: ${values.price}, settings: { maxTokens: ${values['max-tokens']} }`} }]
limits: { ${values.usd === 'null' ? '' : `usd: ${values.usd}, `}timeout: ${values.timeout}, retries: 20, concurrency: ${values.concurrency} }
`),
        },
        context,
      )
  process.stdout.write('started\n')
  const result = await executeRun(run, { stop: stop.signal, abort: abort.signal, random: () => 0.02 })
  await run[Symbol.asyncDispose]()
  process.stdout.write(`${JSON.stringify(result)}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
