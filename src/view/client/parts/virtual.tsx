import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface RowsProps {
  readonly count: number
  /** Pixels of one row. */
  readonly height: number
  readonly row: (index: number) => ComponentChildren
  /** The rows on the screen, the last one not included. */
  readonly onRange?: (first: number, last: number) => void
  /** The row that is to be seen. */
  readonly at?: number
  readonly label: string
}

/** A browser draws no box higher than this: more rows share its pixels, and the bar then moves in larger steps. */
const HIGHEST = 15_000_000
/** Rows beyond the screen, on either side. */
const BEYOND = 6

/** Rows of equal height of which only those on the screen exist. */
export function VirtualRows({ count, height, row, onRange, at = -1, label }: RowsProps) {
  const box = useRef<HTMLElement>(null)
  const [seen, setSeen] = useState({ top: 0, tall: 600 })
  const size = Math.min(height, HIGHEST / Math.max(1, count))
  const fits = Math.ceil(seen.tall / height) + 1
  const top = Math.floor(seen.top / size)
  const first = Math.max(0, top - (size < height ? 0 : BEYOND))
  const last = Math.min(count, top + fits + (size < height ? 0 : BEYOND))
  const measure = (): void => {
    const { scrollTop, clientHeight } = box.current ?? { scrollTop: 0, clientHeight: 0 }
    setSeen({ top: scrollTop, tall: clientHeight })
  }
  useLayoutEffect(() => {
    const watched = new ResizeObserver(measure)
    if (box.current !== null) watched.observe(box.current)
    return () => watched.disconnect()
  }, [])
  useEffect(() => onRange?.(first, last), [first, last, onRange])
  useLayoutEffect(() => {
    const frame = box.current
    if (at < 0 || frame === null) return
    const over = (at + 1) * size - frame.clientHeight
    if (frame.scrollTop > at * size) frame.scrollTop = at * size
    else if (frame.scrollTop < over) frame.scrollTop = over + (size < height ? height - size : 0)
  }, [at, size])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="rows" ref={box} tabIndex={0} aria-label={label} onScroll={measure}>
      <div class="all" style={{ height: `${count * size}px` }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i).map((index) => (
          <div
            key={index}
            class="row"
            style={{ transform: `translateY(${first * size + (index - first) * height}px)`, height: `${height}px` }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </section>
  )
}
