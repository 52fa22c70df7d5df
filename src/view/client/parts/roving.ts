import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A position on the screen. */
export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const DIRECTIONS: { readonly [key: string]: readonly [across: number, down: number] } = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
}
/** Cost of moving sideways, relative to moving ahead. */
const STRAYING = 3

/** Where a key leads from one of the boxes: the nearest that way, else the one before or after; null: nowhere. */
export function reached(boxes: readonly Box[], at: number, key: string): number | null {
  if (key === 'Home') return 0
  if (key === 'End') return boxes.length - 1
  // By arrows alone a part behind others may never be the nearest: in order, every one is reached.
  if (key === 'PageDown') return (at + 1) % boxes.length
  if (key === 'PageUp') return (at + boxes.length - 1) % boxes.length
  const way = DIRECTIONS[key]
  const from = boxes[at]
  if (way === undefined || from === undefined) return null
  const [across, down] = way
  let best: { readonly index: number; readonly cost: number } | null = null
  for (const [index, box] of boxes.entries()) {
    const [dx, dy] = [
      middle(box.left, box.right) - middle(from.left, from.right),
      middle(box.top, box.bottom) - middle(from.top, from.bottom),
    ]
    const along = dx * across + dy * down
    if (index === at || along < 1) continue
    const cost = along + STRAYING * Math.abs(dx * down + dy * across)
    if (best === null || cost < best.cost) best = { index, cost }
  }
  if (best !== null) return best.index
  const next = at + across + down
  return next >= 0 && next < boxes.length ? next : null
}

const middle = (a: number, b: number): number => (a + b) / 2

const IN_TEXT: { readonly [key: string]: string } = { ArrowRight: 'PageDown', ArrowLeft: 'PageUp' }

/** In a text, arrows move to the next or previous link on any line. */
export const reachedInText = (boxes: readonly Box[], at: number, key: string): number | null =>
  reached(boxes, at, IN_TEXT[key] ?? key)

/** Marks an element as a part that the keys can reach. */
export const PART = 'data-part'

export interface Roving {
  readonly ref: RefObject<HTMLElement | null>
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onFocusIn: (event: FocusEvent) => void
}

/** Makes all parts inside an element one stop of the Tab key, with arrows from part to part, Home and End, PageUp and PageDown in their order. */
export function useRoving(reach: typeof reached = reached): Roving {
  const ref = useRef<HTMLElement>(null)
  const parts = (): HTMLElement[] => [...(ref.current?.querySelectorAll<HTMLElement>(`[${PART}]`) ?? [])]
  // Parts appear and disappear while a drawing is stepped: one must stay in the Tab order.
  useEffect(() => {
    const all = parts()
    if (!all.some((part) => part.tabIndex === 0)) all[0]?.setAttribute('tabindex', '0')
  })
  return {
    ref,
    onFocusIn({ target }) {
      if (!(target instanceof Element) || !target.hasAttribute(PART)) return
      for (const part of parts()) part.setAttribute('tabindex', part === target ? '0' : '-1')
    },
    onKeyDown(event) {
      if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.altKey) return
      const all = parts()
      const at = all.indexOf(event.target as HTMLElement)
      if (at === -1) return
      const to = reach(
        all.map((part) => part.getBoundingClientRect()),
        at,
        event.key,
      )
      if (to === null) return
      event.preventDefault()
      all[to]?.focus()
    },
  }
}
