import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
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

/** A browser draws no box higher than this. */
const HIGHEST = 15_000_000

/** Rows of equal height of which only those on the screen exist. */
export function VirtualRows({ count, height, row, onRange, at = -1, label }: RowsProps) {
  const box = useRef<HTMLElement>(null)
  const [, redraw] = useState(0)
  // More rows than a page can be high share its pixels: the bar then moves in larger steps.
  const size = Math.min(height, HIGHEST / Math.max(1, count))
  const crowded = size < height
  const options = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => size,
    overscan: crowded ? 0 : 6,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw((n) => n + 1),
  }
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options))
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  useEffect(() => {
    virtualizer.measure()
  }, [virtualizer, size])
  const found = virtualizer.getVirtualItems()
  const first = found[0]?.index ?? 0
  const fits = Math.ceil((box.current?.clientHeight ?? 600) / height) + 1
  const shown = crowded
    ? Array.from({ length: Math.min(fits, count - first) }, (_, i) => ({
        index: first + i,
        start: (found[0]?.start ?? 0) + i * height,
      }))
    : found
  const last = (shown.at(-1)?.index ?? -1) + 1
  useEffect(() => onRange?.(first, last), [first, last, onRange])
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at)
  }, [at, virtualizer])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="rows" ref={box} tabIndex={0} aria-label={label}>
      <div class="all" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {shown.map(({ index, start }) => (
          <div key={index} class="row" style={{ transform: `translateY(${start}px)`, height: `${height}px` }}>
            {row(index)}
          </div>
        ))}
      </div>
    </section>
  )
}
