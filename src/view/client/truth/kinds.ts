import { z } from 'zod/mini'
import type { Json } from '../../../core/index.ts'

/** Drawings of the truth as data, as `view` of a task gives them. */

/** Most links of one drawing. */
const LINKS = 2000

const caption = {
  title: z.optional(z.string()),
  caption: z.optional(z.string()),
  /**
   * Texts that stand for parts of the drawing wherever prompt or answers have them. Parts: `step/K` and `row/K` of steps,
   * `node/ID` and `edge/K` of a graph, `note/NOTE` of a tree, `cell/K` and `span/ROW/START` of a strip,
   * `row/K` and `cell/ROW/COLUMN` of a table, `drawing` of any kind.
   * `inside`: the text is also found within a word.
   */
  links: z.optional(
    z.pipe(
      z.array(
        z.object({
          text: z.string().check(z.maxLength(2000)),
          parts: z.array(z.string()),
          inside: z.optional(z.boolean()),
        }),
      ),
      z.transform((links) => links.slice(0, LINKS)),
    ),
  ),
}

export interface TreeNode {
  readonly label: string
  /** The rule used at the node. */
  readonly note?: string | undefined
  readonly children: readonly TreeNode[]
}
const node: z.ZodMiniType<TreeNode> = z.object({
  label: z.string(),
  note: z.optional(z.string()),
  get children(): z.ZodMiniArray<z.ZodMiniType<TreeNode>> {
    return z.array(node)
  },
})

const tree = z.object({ kind: z.literal('tree'), ...caption, root: node })
const chart = z.object({
  kind: z.literal('chart'),
  ...caption,
  tokens: z.array(z.string()),
  /** The symbol that should cover all tokens. */
  goal: z.string(),
  cells: z.array(
    z.object({
      from: z.int(),
      to: z.int(),
      symbols: z.array(z.string()),
      /** Rules that fill the cell, and where they split the span (absent for a single token). */
      splits: z.optional(z.array(z.object({ rule: z.string(), at: z.optional(z.int()) }))),
    }),
  ),
})
const steps = z.object({
  kind: z.literal('steps'),
  ...caption,
  steps: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  /** The rule of each step after the first, which can then be dropped and replayed. */
  rules: z.optional(z.array(z.tuple([z.string(), z.string()]))),
})
const graph = z.object({
  kind: z.literal('graph'),
  ...caption,
  directed: z.boolean(),
  nodes: z.array(z.object({ id: z.int(), label: z.string(), marked: z.boolean() })),
  edges: z.array(z.object({ from: z.int(), to: z.int(), marked: z.optional(z.boolean()) })),
})
const sets = z.object({
  kind: z.literal('sets'),
  ...caption,
  marked: z.boolean(),
  sets: z.array(z.string()),
  members: z.array(z.array(z.string())),
})
const strip = z.object({
  kind: z.literal('strip'),
  ...caption,
  cells: z.array(z.string()),
  rows: z.array(
    z.object({ label: z.string(), spans: z.array(z.object({ start: z.int(), end: z.int(), label: z.string() })) }),
  ),
  /**
   * Of a text that models score: what the language itself loses on each cell, in nats (null: no string goes on so), then on the end,
   * which is written `end`; '' where it is not scored. Cells may be written together, `group` of them between two blanks.
   */
  scored: z.optional(
    z.object({ floor: z.array(z.nullable(z.number())), end: z.string(), group: z.int().check(z.minimum(1)) }),
  ),
})
const table = z.object({
  kind: z.literal('table'),
  ...caption,
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  /** Cells that decide. */
  marked: z.array(z.tuple([z.int(), z.int()])),
})
const text = z.object({ kind: z.literal('text'), ...caption, text: z.string() })

const drawing = z.discriminatedUnion('kind', [tree, chart, steps, graph, sets, strip, table, text])
export type Drawing = z.infer<typeof drawing>
export type DrawingOf<K extends Drawing['kind']> = Extract<Drawing, { kind: K }>

/** A drawing of a form that is known here; null: another. */
export const drawingOf = (value: Json): Drawing | null => {
  const parsed = drawing.safeParse(value)
  return parsed.success ? parsed.data : null
}
