/**
 * Readers of model output: total, linear in the text, with the span of what they read. `strict` reads an answer where it
 * was asked for, the last line or the last fenced block; `lenient` reads what strict reads and goes on looking where it
 * gives up. What a model thinks aloud (`<think>` and kin) is passed over; a block that is never closed is unparsed under
 * strict. Nothing here needs Node.
 *
 * @example
 * import { strictChoice, strictNumber } from '@touchstone-eval/touchstone/parsers'
 *
 * const verdict = strictChoice('I have checked it.\nAnswer: Yes', ['Yes', 'No'])
 * if (verdict.kind === 'extracted') console.log(verdict.answer, verdict.rule, verdict.span)
 * console.log(strictNumber('5 hops', ['hops']))
 *
 * @module
 */

export { locateReasoning, type Reasoning, visibleSpans } from '../core/reasoning.ts'
export type { Extraction } from '../core/task.ts'
export { type ChoiceParser, choiceParser, lenientChoice, strictChoice } from '../libraries/language/choice-parser.ts'
export { eachFence, type Fence, firstFence, lastFence } from '../libraries/language/fences.ts'
export { type LastLine, labelled, lastLine, type Piece } from '../libraries/language/lines.ts'
export { lenientList, parseArrows, parseList, strictList } from '../libraries/language/lists.ts'
export { lenientNumber, strictNumber, wholeNumber } from '../libraries/language/numbers.ts'
