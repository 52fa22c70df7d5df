import process from 'node:process'
import { run, type StricliProcess } from '@stricli/core'
import { app } from './app.ts'
import type { Context } from './context.ts'
import { exitCodeOf, exits } from './exits.ts'
import { hasCrashed, onCrash } from './interrupt.ts'

/** Whoever read us is gone: a closed pipe, a dropped terminal. */
const GONE: readonly (string | undefined)[] = ['EPIPE', 'EIO', 'ENXIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED']

// `touchstone list | head` closes our output early: nobody listens any more, and the work goes on to its own end and its
// own exit code. An output that cannot be written for another reason (a full disk) is a failure.
let unwritten = false
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!GONE.includes(error.code)) unwritten = true
  })
process.on('uncaughtException', onCrash)
process.on('unhandledRejection', onCrash)

await run(app, process.argv.slice(2), { process } as Context & { readonly process: StricliProcess })

// A file that could not be written is told of only after all that waits for it here has gone on.
process.on('exit', () => {
  process.exitCode = exitCodeOf(process.exitCode)
  if (hasCrashed() || (unwritten && process.exitCode === exits.done)) process.exitCode = exits.failed
})
