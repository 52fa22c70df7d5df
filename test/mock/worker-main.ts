import { parseArgs } from 'node:util'
import { PostgresStore } from '../../src/extras/postgres/index.ts'
import { workOnShared } from '../../src/runner/index.ts'
import { noRedaction } from '../../src/store/index.ts'
import { mockContext } from './context.ts'

/** A worker as a separate process, to be killed: works on a run in a store, prints its end as JSON. */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: '' },
    run: { type: 'string', default: '' },
    concurrency: { type: 'string', default: '8' },
    poll: { type: 'string', default: '0.05' },
  },
})
const redact = { known: noRedaction, shapes: noRedaction }
await using store = await PostgresStore.open(values.store, values.run, { redact, mode: 'open' })
process.stdout.write('started\n')
const key = 'key-of-a-test'
const context = mockContext({
  env: { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, GOOGLE_GENERATIVE_AI_API_KEY: key },
  // Its store is its own.
  trust: { allowed: [], made: { has: () => true, add: () => undefined } },
})
const result = await workOnShared(store, context, {
  concurrency: Number(values.concurrency),
  poll: Number(values.poll),
  settling: 0,
  random: () => 0.02,
})
process.stdout.write(`${JSON.stringify({ ...result, memory: Math.round(process.memoryUsage().rss / 2 ** 20) })}\n`)
