/** The drawing library: two thirds of the pages' size, in a separate script that is loaded with the first figure. */
import { Graph, layout } from '@dagrejs/dagre'
import { areaY, dot, line, plot, ruleX } from '@observablehq/plot'
import { layout as venn } from '@upsetjs/venn.js'

const library = { plot: { areaY, dot, line, plot, ruleX }, Graph, layout, venn }
export type Drawing = typeof library

declare global {
  var touchstoneDrawing: Drawing | undefined
}
globalThis.touchstoneDrawing = library
