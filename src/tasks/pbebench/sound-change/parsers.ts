import type { Extraction, Json, Parser } from '../../../core/index.ts'
import { eachFence, type Fence } from '../../../libraries/language/fences.ts'
import { unlessNegated } from '../../../libraries/language/negation-context.ts'
import { parseLaw, printLaw, type SoundLaw } from '../../../libraries/rewriting/sounds/index.ts'
import type { Answer, Given } from './question.ts'

type LawParser = Parser<Json, Given, Answer>

/** Lines of a block that are read; more of them are no answer. */
const MAX_LINES = 2000

const unparsed = (reason: string) => ({ kind: 'unparsed', reason }) as const

/** What is written before a law: a number, a dash. */
const LEAD = /^(?:[-*•][ \t]+|\(?\d{1,3}[.)][ \t]+|\d{1,3}:[ \t]+)/u
/** What is written behind one. */
const REMARK = /[ \t]+(?:\/\/|#[ \t]|%|--|;).*$/u

type Line =
  | { readonly kind: 'law'; readonly text: string }
  | { readonly kind: 'language'; readonly number: number }
  | { readonly kind: 'blank' }
  | { readonly kind: 'other' }

function lineOf(raw: string, names: readonly string[], tolerant: boolean): Line {
  const line = raw.trim()
  if (line === '') return { kind: 'blank' }
  const number = line.length < 80 ? names.findIndex((name) => headingOf(name) === headingOf(line)) : -1
  if (number !== -1) return { kind: 'language', number }
  const bare = tolerant ? line.replace(LEAD, '').replaceAll(/[`"]/gu, '') : line
  const read = [bare, ...(tolerant ? [bare.replace(REMARK, '')] : [])].map(parseLaw).find(({ kind }) => kind === 'law')
  return read?.kind === 'law' ? { kind: 'law', text: printLaw(read.law) } : { kind: 'other' }
}

/** A language's name, without surrounding marks. */
const headingOf = (text: string): string => text.replaceAll(/[*#:\s]/gu, '').toLowerCase()

interface Block {
  readonly laws: readonly (readonly string[])[]
  readonly others: number
  readonly said: number
}

/** The laws of a block by language; laws before any heading are those of the first. */
function blockOf(text: string, { languages }: Given, tolerant: boolean): Block | null {
  const lines = text.split('\n', MAX_LINES + 1)
  if (lines.length > MAX_LINES) return null
  const laws: string[][] = languages.map(() => [])
  let [language, others, said] = [languages.length === 1 ? 0 : -1, 0, 0]
  for (const raw of lines) {
    const line = raw.length > 600 ? ({ kind: 'other' } as const) : lineOf(raw, languages, tolerant)
    if (line.kind === 'language') {
      language = line.number
      said++
    } else if (line.kind === 'law' && language !== -1) {
      laws[language]?.push(line.text)
      said++
    } else if (line.kind !== 'blank') others++
  }
  return { laws, others, said }
}

function fencesOf(text: string): readonly Fence[] {
  const fences: Fence[] = []
  eachFence(text, (fence) => {
    fences.push(fence)
    if (fences.length > 64) fences.shift()
  })
  return fences
}

const found = (laws: Block['laws'], rule: string, { start, end }: Fence): Extraction<Answer> => ({
  kind: 'extracted',
  answer: { laws },
  rule,
  span: [start, end],
})

/** The last fenced block outside reasoning: names of languages, and under each its laws, one a line, and nothing else. */
function strict(text: string, given: Given): Extraction<Answer> {
  const fence = fencesOf(text).at(-1)
  if (fence === undefined) return unparsed('no fenced block')
  if (!fence.closed) return unparsed('the last fenced block is not closed')
  const block = blockOf(text.slice(fence.start, fence.end), given, false)
  if (block === null) return unparsed(`the last fenced block has more than ${MAX_LINES} lines`)
  if (block.others > 0) return unparsed('a line of the last fenced block is neither a law nor a language')
  if (block.said === 0) return unparsed('the last fenced block names no language and no law')
  return found(block.laws, 'last-block', fence)
}

/** What strict reads; else the last fenced block with a law in it, whose other lines are omitted. */
function lenient(text: string, given: Given): Extraction<Answer> {
  const asked = strict(text, given)
  if (asked.kind === 'extracted') return asked
  for (const fence of fencesOf(text).toReversed()) {
    const block = blockOf(text.slice(fence.start, fence.end), given, true)
    if (block?.laws.some((laws) => laws.length > 0) === true) return found(block.laws, 'block', fence)
  }
  return unparsed('no fenced block holds a law')
}

export const parsers = {
  strict: ((text, { given }) => unlessNegated(text, strict(text, given))) satisfies LawParser,
  lenient: ((text, { given }) => unlessNegated(text, lenient(text, given))) satisfies LawParser,
}

/** The laws of an answer that are run: those that read as they are written, as far as the limit goes. */
export const readLaws = (texts: readonly string[], most: number): readonly SoundLaw[] =>
  texts.slice(0, most).flatMap((text) => {
    const read = parseLaw(text)
    return read.kind === 'law' && printLaw(read.law) === text ? [read.law] : []
  })
