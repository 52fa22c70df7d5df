import { isOrder, type Work } from '../types.ts'

/** More statements or orders than this are not read. */
const MAX = 2000
const RULE =
  '(?:(?:the )?(?:rule|program|step|replacement|index)s?[ ]?)?[#\\[(`*]{0,3}(\\d{1,2})[\\])`*]{0,3}(?: ?\\([^()\\n]{0,60}\\))?'
const RELATION = new RegExp(`${RULE}[ ]{1,3}(counter-?)?(feed|bleed)s?[ ]{1,3}(?:into )?${RULE}`, 'gi')
const BEFORE = new RegExp(
  `${RULE}[ ]{1,3}(?:must |should |has to |needs to |needs |will |is )?(?:come |be |go |run |apply |applied |happen |executed )?(?:strictly )?(before|precedes?|after|follows?)[ ]{1,3}${RULE}`,
  'gi',
)
const ORDER = /[[(]((?:\d{1,2}[ ]?(?:,|->|→|>|;)[ ]?){1,19}\d{1,2})[\])]/g

/**
 * Reads the working of a response to a reordering question: statements that one rule feeds or bleeds another or must
 * come before it, complete orders written down, and whether counter-relations are mentioned. Linear in the text.
 */
export function readWork(text: string, rules: number): Work {
  const relations: number[][] = []
  for (const match of limited(text, RELATION)) {
    const [from, to] = [Number(match[1]), Number(match[4])]
    // "i counterfeeds j" says that i would feed j, had it come first: the same relation of texts.
    if (from < rules && to < rules && from !== to)
      relations.push([match[3]?.toLowerCase() === 'feed' ? 1 : 2, from, to])
  }
  const precedences: number[][] = []
  for (const match of limited(text, BEFORE)) {
    const [a, b] = [Number(match[1]), Number(match[3])]
    if (a >= rules || b >= rules || a === b) continue
    precedences.push(/^(?:before|precede)/i.test(match[2] as string) ? [a, b] : [b, a])
  }
  const orders = new Set<string>()
  for (const match of limited(text, ORDER)) {
    const order = (match[1] as string).split(/[^\d]+/).map(Number)
    if (isOrder(order, rules)) orders.add(order.join())
  }
  return {
    relations,
    precedences,
    tried: orders.size,
    counter: /counter[- ]?(?:feed|bleed)/i.test(text),
    length: text.length,
  }
}

function* limited(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  pattern.lastIndex = 0
  for (let count = 0; count < MAX; count++) {
    const match = pattern.exec(text)
    if (match === null) return
    yield match
  }
}
