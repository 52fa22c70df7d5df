/** What pictures are drawn with: two thirds of the weight of the pages, in a script of its own that the first picture asks for. */
import { Graph, layout } from '@dagrejs/dagre'
import { areaY, dot, line, plot, ruleX } from '@observablehq/plot'
import { layout as venn } from '@upsetjs/venn.js'

const library = { plot: { areaY, dot, line, plot, ruleX }, Graph, layout, venn }
export type Drawing = typeof library

declare global {
  var touchstoneDrawing: Drawing | undefined
}
globalThis.touchstoneDrawing = library
