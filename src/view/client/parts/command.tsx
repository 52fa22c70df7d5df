import { useRef, useState } from 'preact/hooks'

/** A command line, what it makes, and a button that copies it. */
export function Command({ what, text }: { readonly what: string; readonly text: string }) {
  const [state, setState] = useState<{ readonly of: string; readonly says: string } | null>(null)
  const line = useRef<HTMLElement>(null)
  /** Pages on a plain file host may not write to the clipboard: then the line is selected. */
  const choose = (): void => {
    if (line.current !== null) getSelection()?.selectAllChildren(line.current)
    setState({ of: text, says: 'chosen: Ctrl-C' })
  }
  const copy = (): void => {
    const written = navigator.clipboard?.writeText(text)
    if (written === undefined) choose()
    else written.then(() => setState({ of: text, says: '✓ copied' }), choose)
  }
  return (
    <p class="controls">
      <span>{what}:</span>
      <code ref={line}>{text}</code>
      <button type="button" onClick={copy} aria-label={`copy the command of ${what}`}>
        {state?.of === text ? state.says : 'copy'}
      </button>
    </p>
  )
}
