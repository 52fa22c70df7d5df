/** Given names that are other English words too, and "no". */
const words = new Set(
  `amber angel april art august aurora autumn basil beau bill bob brook carol carter chad chance charity chase
  christian clay clement constance cooper crystal daisy dale dawn dean don drew earl eve faith flora forrest frank
  gene glen grace grant griffin guy harper harry hazel heath heather holly homer hope hunter iris ivy jack jade
  jasmine jay jean john joy june kit lance lily marina mark mason max may melody mercedes miles nick no olive opal
  page parker pat patience patsy pearl penny perry peter pierce piper poppy randy raven ray red reed rich rob
  robin roger roman rose rosemary rowan ruby ruth sage sally sandy scarlett sienna skip sue summer tanner tom
  tucker victor viola violet wade ward warren will willow`.split(/\s+/),
)

const CONJUNCTION = 'and|as|because|but|if|or|since|so|then'
const GOES_ON = new RegExp(`^(?:[ \\t]{1,4}(?!(?:${CONJUNCTION})\\b)\\p{Ll}|['’]t\\b)`, 'u')
const SENTENCE_START = /(?:^|[.!?:\n])[\s*_>#("'“‘-]{0,8}$/

/**
 * Does the word at [start, end) read as an ordinary word rather than as an answer? "Hope this helps", "mark this",
 * "Don't", "there is no way": a name in small letters, or a word that begins a sentence and goes on in small letters.
 * "no" is an answer in small letters too, unless a word follows that it belongs to.
 */
export function isCommonWord(text: string, start: number, end: number): boolean {
  const word = text.slice(start, end)
  const small = word.toLowerCase()
  if (!words.has(small)) return false
  if (word === small && small !== 'no') return true
  if (!GOES_ON.test(text.slice(end, end + 16))) return false
  return word === small || SENTENCE_START.test(text.slice(Math.max(0, start - 10), start))
}
