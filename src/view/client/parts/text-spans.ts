/** A text that is linked to parts of a drawing, as `drawings` of a task declares it. */
export interface Link {
  readonly text: string
  /** Names of parts of the drawing. */
  readonly parts: readonly string[]
  /** Is the text also found within a word, as in languages that are written without blanks? */
  readonly inside?: boolean | undefined
  /** Does the proof use what it stands for? */
  readonly used?: boolean
}

/** A span of text that belongs to links, with the linked texts that cover it, the longest first. */
export interface TextSpan {
  readonly start: number
  readonly end: number
  readonly texts: readonly string[]
}

/** Most characters times links that are searched: in a long response only the first links. */
const WORK = 20_000_000
/** Places of one text at most. */
const MAX = 4000

const WORD = /[\p{L}\p{N}_]/u
const isWord = (character: string | undefined): boolean => character !== undefined && WORD.test(character)

/** Non-overlapping spans of linked texts, in order. Matches inside words only if the link allows it. */
export function linkSpans(text: string, links: readonly Link[]): readonly TextSpan[] {
  const texts = new Map(links.map((link) => [link.text, link.inside === true]))
  texts.delete('')
  const found = [...texts]
    .slice(0, Math.max(1, Math.floor(WORK / Math.max(1, text.length))))
    .flatMap(([wanted, inside]) => occurrences(text, wanted, inside))
    .slice(0, MAX)
    .sort((a, b) => a.start - b.start || b.end - a.end)
  return apart(found)
}

interface Found {
  readonly start: number
  readonly end: number
  readonly text: string
}

function occurrences(text: string, wanted: string, inside: boolean): Found[] {
  const found: Found[] = []
  const opens = !inside && isWord(wanted[0])
  const closes = !inside && isWord(wanted.at(-1))
  for (let start = text.indexOf(wanted); start !== -1 && found.length < MAX; ) {
    const end = start + wanted.length
    if (!(opens && isWord(text[start - 1])) && !(closes && isWord(text[end]))) found.push({ start, end, text: wanted })
    start = text.indexOf(wanted, end)
  }
  return found
}

/** Nested and crossing occurrences cut at each other's ends. */
function apart(found: readonly Found[]): readonly TextSpan[] {
  const cuts = [...new Set(found.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b)
  const places: TextSpan[] = []
  let open: Found[] = []
  let next = 0
  for (const [i, start] of cuts.entries()) {
    open = open.filter(({ end }) => end > start)
    for (let one = found[next]; one?.start === start; one = found[next]) {
      open.push(one)
      next++
    }
    const end = cuts[i + 1]
    if (end === undefined || open.length === 0) continue
    const texts = open.toSorted((a, b) => b.end - b.start - (a.end - a.start)).map((one) => one.text)
    places.push({ start, end, texts })
  }
  return places
}
