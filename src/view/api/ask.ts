/** What a prompt asks, taken apart: pages show the question first and large. */
export interface Asked {
  readonly question: string
  /** What the question is about, such as a string; null: it names it itself. */
  readonly object: string | null
  readonly options: readonly string[]
  /** What is given, with the heading before it. */
  readonly title: string
  readonly context: readonly string[]
}

const FENCE = '```'
/** Begins a sentence that asks for something; how to write the answer is no question. */
const IMPERATIVE =
  /(?<=^|[.:] )(?:Find|Write|Name|List|Complete|Translate|Continue|Sort|Compute|Count|Predict|Solve|Change|Replace|Give an?)\b/u
/** A longer line is not a question as a whole. */
const LONG = 120
const SHORT = 20

/** The last question of a prompt, else the last sentence that asks for something, else its beginning. */
export function askedIn(prompt: string): Asked {
  const lines = prompt.split('\n').map((line) => line.trimEnd())
  const fenced = insideFences(lines)
  const outside = (line: string, i: number): boolean => !fenced.has(i) && line !== ''
  const asking = lines.findLastIndex((line, i) => outside(line, i) && line.includes('?'))
  const imperative = lines.findLastIndex((line, i) => outside(line, i) && IMPERATIVE.test(line))
  const at = asking >= 0 ? asking : Math.max(0, imperative)
  const line = lines[at] ?? ''
  const given = asking < 0 && at > 0 && lines[at + 1] === '' ? blocksOf(lines.slice(at + 1)) : []
  // Data between the request and how to answer; else what stands before the request.
  const before = given.length > 2 ? given.slice(0, -1).flat() : blockBefore(lines, at)
  const after = blockAfter(lines, at)
  const object = after[0] === FENCE ? after.slice(1, after.indexOf(FENCE, 1)).join('\n') : null
  const options = asking < 0 ? [] : after.filter((one) => one.startsWith('- ')).map((one) => one.slice(2))
  const context = withoutFences(before)
  const [first = '', ...rest] = context
  const headed = first.endsWith(':') && rest.length > 0
  return {
    question: questionIn(line, asking >= 0),
    object,
    options,
    title: headed ? first.slice(0, -1) : '',
    context: headed ? rest : context,
  }
}

/** One line of what is given, for a list. */
export const givenIn = ({ object, context }: Asked): string =>
  (object ?? context.slice(0, 4).join(' ')).replaceAll('\n', ' ').slice(0, 200)

function questionIn(line: string, isQuestion: boolean): string {
  if (!isQuestion) return /^[^.:]*/u.exec(line.slice(Math.max(0, line.search(IMPERATIVE))))?.[0] ?? line
  const until = line.slice(0, line.lastIndexOf('?') + 1)
  if (until.length <= LONG) return until
  const sentences = until.split(/(?<=[.!?])\s+/u)
  // "Who?" alone asks nothing.
  const last = sentences.at(-1) ?? until
  return last.length < SHORT ? sentences.slice(-2).join(' ') : last
}

function insideFences(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  let open = false
  lines.forEach((line, i) => {
    const isFence = line.startsWith(FENCE)
    if (isFence || open) found.add(i)
    if (isFence) open = !open
  })
  return found
}

/** The lines of the question's own paragraph before it, else the paragraph before that; of a question that comes first, what comes last but one. */
function blockBefore(lines: readonly string[], at: number): readonly string[] {
  const blocks = blocksOf(lines.slice(0, at))
  const own = lines[at - 1] === '' || at === 0 ? [] : (blocks.pop() ?? [])
  if (own.length > 0) return own
  const last = blocks.pop()
  return last ?? blocksOf(lines.slice(at + 1)).at(-2) ?? []
}

const withoutFences = (lines: readonly string[]): readonly string[] => lines.filter((line) => !line.startsWith(FENCE))

/** What follows without a blank line. */
const blockAfter = (lines: readonly string[], at: number): readonly string[] => blocksOf(lines.slice(at + 1))[0] ?? []

/** Paragraphs; blank lines inside fences part nothing. */
function blocksOf(lines: readonly string[]): (readonly string[])[] {
  const fenced = insideFences(lines)
  const blocks: string[][] = [[]]
  lines.forEach((line, i) => {
    if (line === '' && !fenced.has(i)) blocks.push([])
    else blocks.at(-1)?.push(line)
  })
  return blocks.filter((block) => block.length > 0)
}
