import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import { inStore } from '../../lab/stored.ts'
import type { Context } from '../context.ts'
import { follow } from '../follow.ts'
import { interruptible } from '../interrupt.ts'
import { labOfTasks } from '../lab.ts'
import { port } from '../numbers.ts'
import { note, print, printJson } from '../output.ts'
import { foldersOf } from '../stored.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly port?: number
  readonly export?: string
  readonly control: boolean
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const view = buildCommand<Flags, string[], Context>({
  docs: { brief: 'Look at runs and datasets in a browser: who did how well, every answer, the truth drawn' },
  parameters: {
    positional: {
      kind: 'array',
      parameter: {
        brief: 'Run or dataset folders, store:RUN, or folders that hold some; left out: this one',
        parse: text,
        placeholder: 'path',
      },
    },
    flags: {
      port: {
        kind: 'parsed',
        parse: port(8080),
        optional: true,
        brief:
          'The port on the loopback address; 0: any that is free; left out: the same for the same folders, if free',
      },
      export: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'Write the view into this folder instead: it opens from a disk or any file host',
      },
      control: {
        kind: 'boolean',
        default: false,
        brief: 'Runs that are worked on can be stopped from the page; without it the view only reads',
      },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, ...given) {
    const { plugin = [] } = flags
    const paths = await foldersOf(this, given, plugin)
    if (flags.export !== undefined) return writeView(this, flags.export, flags, paths)
    const { serveView } = await import('../../view/server/serve.ts')
    const served = await serveView({
      paths: paths.length === 0 ? ['.'] : paths,
      port: flags.port ?? null,
      plugins: plugin,
      control: flags.control,
    })
    try {
      const { url, places } = served
      if (flags.json) printJson(this, { schema: 'touchstone/view/1', url, places })
      else print(this, `${placesText(places)}: open ${url}`)
      if (!flags.json) note(this, 'the address holds the key; only this machine can open it; Ctrl-C ends it')
      const stored = given.filter(inStore)
      const lab = stored.length === 0 ? null : await labOfTasks({ plugin })
      const bring = async (path: string): Promise<unknown> => lab?.mirror(path)
      const trouble = (words: string): void => note(this, `shown as it was: ${words}`)
      await interruptible(
        this,
        (signal) => Promise.all([untilAborted(signal), follow(stored, bring, trouble, signal)]),
        'closing the view',
      )
      this.process.exitCode = 0
    } finally {
      await served.close()
    }
  },
})

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

async function writeView(context: Context, out: string, flags: Flags, paths: readonly string[]): Promise<void> {
  const { exportView } = await import('../../view/server/export.ts')
  const written = await exportView({ paths: paths.length === 0 ? ['.'] : paths, out, plugins: flags.plugin ?? [] })
  if (flags.json) return printJson(context, { schema: 'touchstone/view-export/1', ...written })
  for (const { run, items, of } of written.cut) note(context, `${run}: the first ${items} of ${of} items have pages`)
  print(context, `${written.documents} documents in ${out}: open ${join(out, 'index.html')}`)
}

const placesText = (places: number): string =>
  places === 0
    ? 'no run and no dataset there yet; they are shown as they come'
    : `${places} ${places === 1 ? 'folder' : 'folders'} to look at`
