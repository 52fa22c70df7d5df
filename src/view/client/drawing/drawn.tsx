import type { ComponentChildren } from 'preact'
import { runScript, useWork } from '../documents.ts'
import { Loaded } from '../parts/state.tsx'
import type { Drawing } from './library.ts'

let coming: Promise<void> | null = null

/** Brings what pictures are drawn with; a failure is tried again by the next picture. */
function loadDrawing(): Promise<void> {
  coming ??= runScript('./drawing.js').catch((error: unknown) => {
    coming = null
    throw error
  })
  return coming
}

interface DrawnProps {
  readonly height?: number
  readonly children: (drawing: Drawing) => ComponentChildren
}

/** A figure, once the drawing library is loaded; until then a space of its height. */
export function Drawn({ height = 0, children }: DrawnProps) {
  const state = useWork(loadDrawing, '')
  const drawing = globalThis.touchstoneDrawing
  if (drawing !== undefined) return <>{children(drawing)}</>
  return (
    <div style={{ minHeight: `${height}px` }}>
      <Loaded state={state} next="Reload the page. Is the server running, or the exported folder complete?">
        {() => null}
      </Loaded>
    </div>
  )
}
