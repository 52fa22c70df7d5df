import process from 'node:process'
import { runCli } from './app.ts'
import { hasCrashed, onCrash } from './interrupt.ts'
import { exits } from './output.ts'

/** The reader has closed the pipe or terminal. */
const CLOSED: readonly (string | undefined)[] = ['EPIPE', 'EIO', 'ENXIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED']

// `touchstone list | head` closes our output early: the work continues to its end and its exit code. Output that cannot be
// written for another reason (a full disk) is a failure.
let writeFailed = false
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!CLOSED.includes(error.code)) writeFailed = true
  })
process.on('uncaughtException', onCrash)
process.on('unhandledRejection', onCrash)

await runCli(process.argv.slice(2), { process })

// A failed write is reported only after this module has ended.
process.on('exit', () => {
  if (hasCrashed() || (writeFailed && (process.exitCode ?? exits.done) === exits.done)) process.exitCode = exits.failed
})
