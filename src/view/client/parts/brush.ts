import { type Bin, binBetween } from './features.ts'

/** Pixels that the marked range reaches beyond its outer marks, and that a finger may miss a mark by. */
const REACH = 20
/** A pointer that moved less has pressed on one place. */
const STILL = 4
const SVG = 'http://www.w3.org/2000/svg'

export interface Brush {
  /** Shows a range; null: none. */
  show(bin: Bin | null): void
}

/** Selects a range by dragging over a figure. A click on a mark selects it; a click beside all marks clears the selection. @param places - x positions of the levels, from left to right, in units of the figure. */
export function brushOver(svg: SVGSVGElement, places: readonly number[], choose: (bin: Bin | null) => void): Brush {
  const { width, height } = svg.viewBox.baseVal
  const box = document.createElementNS(SVG, 'rect')
  box.setAttribute('class', 'brush')
  box.setAttribute('height', String(height))
  svg.append(box)
  svg.classList.add('brushed')
  const draw = (from: number, to: number): void => {
    box.setAttribute('x', String(Math.min(from, to)))
    box.setAttribute('width', String(Math.abs(to - from)))
  }
  let shown: Bin | null = null
  const show = (bin: Bin | null): void => {
    shown = bin
    if (bin === null) draw(0, 0)
    else draw((places[bin.from] ?? 0) - REACH, (places[bin.to] ?? width) + REACH)
  }
  const across = ({ clientX }: PointerEvent): number => {
    const { left, width: wide } = svg.getBoundingClientRect()
    return ((clientX - left) / wide) * width
  }
  let start: number | null = null
  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    event.preventDefault()
    start = across(event)
    svg.setPointerCapture(event.pointerId)
  })
  svg.addEventListener('pointermove', (event) => {
    if (start !== null) draw(start, across(event))
  })
  svg.addEventListener('pointerup', (event) => {
    if (start === null) return
    const [low, high] = [Math.min(start, across(event)), Math.max(start, across(event))]
    start = null
    const hit = places.flatMap((place, at) => (place >= low - REACH && place <= high + REACH ? [at] : []))
    const first = hit[0]
    if (first === undefined) choose(null)
    else if (high - low < STILL) {
      const middle = (low + high) / 2
      const near = hit.reduce((a, b) =>
        Math.abs((places[b] ?? 0) - middle) < Math.abs((places[a] ?? 0) - middle) ? b : a,
      )
      choose({ from: near, to: near })
    } else choose(binBetween(first, hit.at(-1) ?? first))
  })
  svg.addEventListener('pointercancel', () => {
    start = null
    show(shown)
  })
  return { show }
}
