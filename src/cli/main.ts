import process from 'node:process'
import { ExitCode, run, type StricliProcess } from '@stricli/core'
import { app } from './app.ts'
import type { Context } from './context.ts'
import { exits } from './exits.ts'

// `touchstone list | head` closes our standard output early: that is not an error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(exits.done)
  })

await run(app, process.argv.slice(2), { process } as Context & { readonly process: StricliProcess })

const code = Number(process.exitCode ?? exits.done)
if (code === ExitCode.UnknownCommand || code === ExitCode.InvalidArgument) process.exitCode = exits.usage
else if (
  code < 0 ||
  code > 130 ||
  [ExitCode.CommandLoadError, ExitCode.ContextLoadError, ExitCode.InternalError].includes(code as never)
)
  process.exitCode = exits.failed
