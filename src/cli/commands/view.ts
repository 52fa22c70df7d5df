import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { interruptible } from '../interrupt.ts'
import { note, print, printJson } from '../output.ts'
import { jsonFlag, pluginFlag, text, wholeNumber } from '../words.ts'

interface Flags {
  readonly port: number
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const view = buildCommand<Flags, string[], Context>({
  docs: { brief: 'Look at runs and datasets in a browser: who did how well, every answer, the truth drawn' },
  parameters: {
    positional: {
      kind: 'array',
      parameter: {
        brief: 'Run or dataset folders, or folders that hold some; left out: this one',
        parse: text,
        placeholder: 'path',
      },
    },
    flags: {
      port: {
        kind: 'parsed',
        parse: wholeNumber,
        default: '0',
        brief: 'The port on the loopback address; 0: any that is free',
      },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, ...paths) {
    const { serveView } = await import('../../view/server/serve.ts')
    const served = await serveView({
      paths: paths.length === 0 ? ['.'] : paths,
      port: flags.port,
      plugins: flags.plugin ?? [],
    })
    try {
      const { url, places } = served
      if (flags.json) printJson(this, { schema: 'touchstone/view/1', url, places })
      else print(this, `${places} ${places === 1 ? 'folder' : 'folders'} to look at: open ${url}`)
      if (!flags.json) note(this, 'the address holds the key; only this machine can open it; Ctrl-C ends it')
      await interruptible(this, (signal) => untilAborted(signal), 'closing the view')
      this.process.exitCode = 0
    } finally {
      await served.close()
    }
  },
})

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
