import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRun, executeRun, openRun, parseExperiment } from '../../src/runner/index.ts'
import { mockContext } from './context.ts'

/** A run in batches as a separate process, to be killed: makes the run or takes it up again, prints its end as JSON. */
const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: '' },
    url: { type: 'string', default: '' },
    provider: { type: 'string', default: 'openai' },
    count: { type: 'string', default: '40' },
    lines: { type: 'string', default: '15' },
    poll: { type: 'string', default: '0.05' },
  },
})
const { dir, url, provider, count, lines, poll } = values
const key = 'key-of-a-test'
const context = mockContext({
  env: { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, GOOGLE_GENERATIVE_AI_API_KEY: key },
  // Its run is its own, also where a process before it made it.
  trust: { allowed: [], made: { has: () => true, add: () => undefined } },
})
const run = existsSync(join(dir, 'run.json'))
  ? await openRun(dir, context, { mode: 'write' })
  : await createRun(
      {
        dir,
        experiment: parseExperiment({
          items: { task: 'mock/parity', preset: 'endless', config: { digits: 9 }, count: Number(count) },
          models: [
            {
              model: `${provider}:m`,
              baseUrl: url,
              batch: { lines: Number(lines) },
              price: { input: 1, output: 10 },
              settings: { maxTokens: 100 },
            },
          ],
        }),
      },
      context,
    )
const result = await executeRun(run, { poll: Number(poll), settling: 0 })
const memory = Math.round(process.memoryUsage().rss / 2 ** 20)
await run[Symbol.asyncDispose]()
process.stdout.write(`${JSON.stringify({ ...result, memory })}\n`)
