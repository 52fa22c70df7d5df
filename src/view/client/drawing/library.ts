/** The drawing library: two thirds of the pages' size, in a separate script that is loaded with the first figure. */
import { Graph, layout } from '@dagrejs/dagre'
import { areaY, dot, line, plot, ruleX } from '@observablehq/plot'

const library = { plot: { areaY, dot, line, plot, ruleX }, Graph, layout }
export type Drawing = typeof library

declare global {
  var touchstoneDrawing: Drawing | undefined
}
globalThis.touchstoneDrawing = library
