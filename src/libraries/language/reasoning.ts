/** Reasoning blocks of a response: half-open spans of offsets into the raw text, in order, disjoint. */
export interface Reasoning {
  readonly spans: readonly (readonly [start: number, end: number])[]
  /** The last block is not closed: the response was probably truncated in it. */
  readonly unclosed: boolean
}

const NAMES = 'think|thinking|thought|thoughts|reason|reasoning|reflection|scratchpad|analysis'
/** `<think>`, `</think>`, `◁think▷`, and `[THINK]`, which only this name writes in brackets; repeats are bounded. */
const TAG = new RegExp(`[<◁](/?)[ \\t]{0,4}(${NAMES})(?:[ \\t][^<>\\n]{0,80})?[>▷]|\\[(/?)(THINK)\\]`, 'gi')

/**
 * Locates reasoning blocks. A block runs from its opening tag to the next closing tag of the same name; a closing tag
 * without an opening one ends a block that began where the previous one ended (chat templates often open it in the
 * prompt); an unclosed block runs to the end. Linear in the text.
 *
 * @example
 * import { locateReasoning } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(locateReasoning('<think>maybe 3</think>\n4'))
 */
export function locateReasoning(text: string): Reasoning {
  const spans: (readonly [number, number])[] = []
  let done = 0
  let open: { readonly name: string; readonly start: number } | null = null
  TAG.lastIndex = 0
  for (let tag = TAG.exec(text); tag !== null; tag = TAG.exec(text)) {
    const name = ((tag[2] ?? tag[4]) as string).toLowerCase()
    const closes = (tag[1] ?? tag[3]) === '/'
    if (open === null && !closes) {
      open = { name, start: tag.index }
    } else if (closes && (open === null || open.name === name)) {
      spans.push([open?.start ?? done, TAG.lastIndex])
      done = TAG.lastIndex
      open = null
    }
  }
  if (open !== null) spans.push([open.start, text.length])
  return { spans: joined(spans), unclosed: open !== null }
}

/**
 * The parts of `text` outside the blocks, as spans in order, without empty ones.
 *
 * @example
 * import { visibleSpans } from '@touchstone-eval/touchstone/parsers'
 *
 * const text = '<think>maybe 3</think>\n4'
 * console.log(visibleSpans(text).map(([from, to]) => text.slice(from, to)))
 */
export function visibleSpans(
  text: string,
  reasoning: Reasoning = locateReasoning(text),
): (readonly [number, number])[] {
  const out: (readonly [number, number])[] = []
  let at = 0
  for (const [start, end] of reasoning.spans) {
    if (start > at) out.push([at, start])
    at = end
  }
  if (at < text.length) out.push([at, text.length])
  return out
}

function joined(spans: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const out: (readonly [number, number])[] = []
  for (const span of spans) {
    const last = out.at(-1)
    if (last !== undefined && last[1] === span[0]) out[out.length - 1] = [last[0], span[1]]
    else out.push(span)
  }
  return out
}
