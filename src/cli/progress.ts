import type { Context } from './output.ts'

export interface Progress {
  readonly update: (done: number, total: number) => void
  readonly end: () => void
}

/** A progress bar on stderr; nothing where stderr is not a terminal. */
export function progress(context: Context, label: string, unit = 'items'): Progress {
  const { stderr } = context.process
  if (!stderr.isTTY) return { update: () => undefined, end: () => undefined }
  const began = Date.now()
  let shown = 0
  return {
    update(done, total) {
      const now = Date.now()
      if (now - shown < 100 && done < total) return
      shown = now
      const seconds = (now - began) / 1000
      const rate = seconds > 0 ? done / seconds : 0
      const left = rate > 0 ? Math.ceil((total - done) / rate) : 0
      const width = 24
      const full = total > 0 ? Math.round((width * done) / total) : width
      const bar = `${'█'.repeat(full)}${'░'.repeat(width - full)}`
      stderr.write(
        `\r\x1b[2K${label} ${bar} ${done}/${total} ${unit} · ${Math.round(rate)}/s · ${left > 0 ? `${left} s left` : ''}`,
      )
    },
    end() {
      stderr.write('\r\x1b[2K')
    },
  }
}
