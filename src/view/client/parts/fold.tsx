import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** What is not seen at first: its title, what is inside, and a body that is made when it is opened. */
export function Fold({
  title,
  note = '',
  open: first = false,
  children,
}: {
  readonly title: ComponentChildren
  readonly note?: ComponentChildren
  readonly open?: boolean
  readonly children: ComponentChildren
}) {
  const [open, setOpen] = useState(first)
  return (
    <details class="fold" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {title} <small>{note}</small>
      </summary>
      {open ? children : null}
    </details>
  )
}
