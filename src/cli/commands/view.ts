import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inStore } from '../../lab/provenance.ts'
import { exportView } from '../../view/server/export.ts'
import { serveView } from '../../view/server/serve.ts'
import type { FlagsOf, viewFlags } from '../command-flags.ts'
import { interruptible } from '../interrupt.ts'
import { foldersOf, labOfTasks } from '../lab.ts'
import { type Context, plural, print, printError, printJson } from '../output.ts'

type Flags = FlagsOf<typeof viewFlags>

export default async function view(context: Context, flags: Flags, ...given: readonly string[]): Promise<void> {
  const { plugins = [], port = null, allowStop = false, json } = flags
  const folders = await foldersOf(context, given, flags)
  const paths = folders.length === 0 ? ['.'] : folders
  if (flags.export !== undefined) return writeView(context, flags.export, flags, paths)
  const served = await serveView({ paths, port, plugins, control: allowStop })
  try {
    const { url, folders } = served
    if (json) printJson(context, { schema: 'touchstone/view/1', url, folders })
    else {
      const found = folders === 0 ? 'no run or dataset yet; new ones appear' : plural(folders, 'folder')
      print(context, `${found}: open ${url}`)
      printError(context, 'the address holds the key; only this machine can open it; Ctrl-C ends the view')
    }
    const stored = given.filter(inStore)
    const lab = stored.length === 0 ? null : await labOfTasks({ plugins })
    const update = async (path: string): Promise<unknown> => lab?.mirror(path)
    const onError = (message: string): void => printError(context, `copy not updated: ${message}`)
    await interruptible(
      context,
      (signal) => Promise.all([untilAborted(signal), follow(stored, update, onError, signal)]),
      'closing the view',
    )
    context.process.exitCode = 0
  } finally {
    await served.close()
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

/** Pause between updates of copies, ms; at least ten times as long as an update took. */
const REST_MS = 10_000

/** Updates copies of runs of a store until `signal` aborts. A repeated error is reported once: the store may be away for a while. */
export async function follow(
  paths: readonly string[],
  update: (path: string) => Promise<unknown>,
  onError: (message: string) => void,
  signal: AbortSignal,
  restMs = REST_MS,
): Promise<void> {
  let lastError: string | null = null
  for (let rest = restMs; paths.length > 0; ) {
    await sleep(rest, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const from = performance.now()
    try {
      for (const path of paths) await update(path)
      lastError = null
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== lastError) onError(message)
      lastError = message
    }
    rest = Math.max(restMs, 10 * (performance.now() - from))
  }
}

async function writeView(context: Context, out: string, flags: Flags, paths: readonly string[]): Promise<void> {
  const written = await exportView({ paths, out, plugins: flags.plugins ?? [] })
  if (flags.json) return printJson(context, { schema: 'touchstone/view-export/1', ...written })
  for (const { run, items, of } of written.incomplete)
    printError(context, `${run}: only the first ${items} of ${of} items have pages`)
  print(context, `${written.documents} documents in ${out}: open ${join(out, 'index.html')}`)
}
