import { parseArgs } from 'node:util'
import { faultMix } from './faults.ts'
import { rightAnswer } from './parity.ts'
import { startMock } from './server.ts'

/** The mock as a separate process: prints its base URL and serves until it is killed. */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    latency: { type: 'string', default: '0' },
    faults: { type: 'string', default: '0' },
    seed: { type: 'string', default: '0' },
    bookless: { type: 'boolean', default: false },
  },
})
const mock = await startMock({
  port: Number(values.port),
  latency: Number(values.latency),
  mix: faultMix(Number(values.faults)),
  seed: values.seed,
  bookless: values.bookless,
  answer: rightAnswer,
})
process.stdout.write(`${mock.url}\n`)
