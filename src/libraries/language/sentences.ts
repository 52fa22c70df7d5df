import type { Piece } from './lines.ts'

/** Sentences of a piece in order; ends of lines end them. */
export function sentencesOf({ text, start }: Piece): Piece[] {
  const out: Piece[] = []
  const END = /\n|;|；|[.!?。！？…]+(?=[\s"'”’)\]*_`}$<]|$)/g
  let from = 0
  const add = (to: number, next: number): void => {
    if (/\S/.test(text.slice(from, Math.min(to, from + 200))) || to - from > 200)
      out.push({ text: text.slice(from, to), start: start + from, end: start + to })
    from = next
  }
  for (let hit = END.exec(text); hit !== null; hit = END.exec(text)) {
    if (
      hit[0] === '.' &&
      /(?:^|\W)(?:vs|no|e\.g|i\.e|cf|approx)$/i.test(text.slice(Math.max(from, hit.index - 7), hit.index))
    )
      if (!/^\s*(?:$|\n|\p{Lu})/u.test(text.slice(hit.index + 1, hit.index + 8))) continue
    const end = hit[0] === '\n' ? hit.index : END.lastIndex
    add(end, END.lastIndex)
  }
  add(text.length, text.length)
  return out
}
