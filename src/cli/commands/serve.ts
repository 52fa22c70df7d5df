import { UsageError } from '../../core/errors.ts'
import type { FlagsOf, serveFlags } from '../command-flags.ts'
import { onInterrupts } from '../interrupt.ts'
import { labOf, labOfTasks } from '../lab.ts'
import { type Context, print, printError } from '../output.ts'

export default async function serve(
  context: Context,
  { plugins, secretEnv = 'TOUCHSTONE_SECRET', apiKeyEnv, ...options }: FlagsOf<typeof serveFlags>,
): Promise<void> {
  const lab = await (options.tasks === undefined ? labOf({ plugins }) : labOfTasks({ plugins }, options.tasks))
  const { env } = context.process
  const secret = env[secretEnv]
  const apiKey = apiKeyEnv === undefined ? undefined : env[apiKeyEnv]
  if (apiKeyEnv !== undefined && (apiKey ?? '') === '')
    throw new UsageError(`--api-key-env: the environment variable ${apiKeyEnv} is not set`)
  const server = await lab.serve({
    ...options,
    secret,
    apiKey,
    onError: (error) => printError(context, error instanceof Error ? (error.stack ?? error.message) : String(error)),
  })
  if (secret === undefined) printError(context, `${secretEnv} is not set: the tokens of this server end with it`)
  print(context, `listening at ${server.url}`)
  await new Promise<void>((resolve) => {
    const removeSignalHandlers = onInterrupts([
      () => {
        removeSignalHandlers()
        resolve()
      },
    ])
  })
  await server.close()
}
