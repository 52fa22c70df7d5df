import type { Parsers } from '../../../core/index.ts'
import type { Shared } from '../grammars/grammar.ts'
import { codeOf } from '../grammars/present.ts'
import { lastMatches, tokenParsers } from '../grammars/sequences.ts'
import type { Given } from '../grammars/strings.ts'
import type { Answer } from './draw.ts'

const place = String.raw`(?:the )?(?:(?:token|position|place) #?(\d{1,3})|(\d{1,3})(?:st|nd|rd|th) token)(?: \([^()]{1,40}\))?`
const name = String.raw`(?:the )?(?:token )?['"${'`'}]?([\p{L}\p{N}_]{1,40})['"${'`'}]?`
const somewhere = `(?:${name.replace('([', '(?:[')} (?:at|in) )?${place}`
/** `Replace token 4 by t7`, `delete the 2nd token`, `insert t3 after token 5`; places are those of the question's string. */
const EDIT = new RegExp(
  `\\b(?:(?:replace|change|substitute) ${somewhere} (?:by|with|to|into) ${name}|(?:delete|remove) ${somewhere}|(?:insert|add) ${name} (before|after|at) ${place})`,
  'giu',
)

/** The string after the edits that the last lines name; null where one stands outside it. */
function edited(tokens: readonly string[], shared: Shared, matches: readonly RegExpExecArray[]): Answer | null {
  const steps = matches.map(([, a, b, put, c, d, added, side, e, f]) => {
    const at = Number(a ?? b ?? c ?? d ?? e ?? f) - 1
    const token = put ?? added
    return {
      from: side === 'after' ? at + 1 : at,
      taken: side === undefined ? 1 : 0,
      added: token === undefined ? [] : [codeOf(shared, token)],
    }
  })
  if (steps.some(({ from, taken }) => from < 0 || from + taken > tokens.length)) return null
  return steps
    .toSorted((a, b) => a.from - b.from)
    .reduceRight<Answer>((rest, { from, taken, added }) => rest.toSpliced(from, taken, ...added), tokens)
}

/** Rows of tokens; lenient also edits, applied to the question's string. */
export const parsers: Parsers<Shared, Given, Answer> = {
  ...tokenParsers,
  lenient(text, question) {
    const row = tokenParsers['lenient']!(text, question)
    const edits = row.kind === 'extracted' ? null : lastMatches(text, EDIT)
    const answer = edits && edited(question.given.string.split(' '), question.shared, edits.matches)
    return edits && answer ? { kind: 'extracted', answer, rule: 'listed-edits', span: edits.span } : row
  },
}
