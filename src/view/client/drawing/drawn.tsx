import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Loading, runScript } from '../documents.ts'
import { Loaded } from '../parts/state.tsx'
import type { Drawing } from './library.ts'

let coming: Promise<Drawing> | null = null

async function bring(): Promise<Drawing> {
  if (globalThis.touchstoneDrawing === undefined) await runScript('./drawing.js')
  if (globalThis.touchstoneDrawing === undefined) throw new Error('drawing.js holds no library')
  return globalThis.touchstoneDrawing
}

/** What pictures are drawn with; a failure is tried again by the next picture. */
function loadDrawing(): Promise<Drawing> {
  coming ??= bring().catch((error: unknown) => {
    coming = null
    throw error
  })
  return coming
}

function useDrawing(): Loading<Drawing> {
  const known = globalThis.touchstoneDrawing
  const [state, setState] = useState<Loading<Drawing>>(
    known === undefined ? { kind: 'loading' } : { kind: 'ready', value: known },
  )
  useEffect(() => {
    if (state.kind !== 'loading') return
    loadDrawing().then(
      (value) => setState({ kind: 'ready', value }),
      (error: Error) =>
        setState({
          kind: 'error',
          message: error.message,
          next: 'Reload the page. Is the server running, or the exported folder complete?',
        }),
    )
  }, [])
  return state
}

/** A figure, once the drawing library is loaded; until then a space of its height. */
export function Drawn({
  height,
  children,
}: {
  readonly height?: number
  readonly children: (drawing: Drawing) => ComponentChildren
}) {
  const state = useDrawing()
  if (state.kind === 'ready' || height === undefined) return <Loaded state={state}>{children}</Loaded>
  return (
    <div style={{ minHeight: `${height}px` }}>
      <Loaded state={state}>{() => null}</Loaded>
    </div>
  )
}
