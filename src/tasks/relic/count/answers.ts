import type { Extraction, Grade, Parsers, Problem } from '../../../core/index.ts'
import { lenientNumber, strictNumber } from '../../../libraries/language/numbers.ts'
import type { Shared } from '../grammars/grammar.ts'
import type { Given } from './draw.ts'

const UNITS = ['derivation', 'derivations', 'tree', 'trees', 'parse', 'parses', 'ways', 'way', 'different', 'distinct']

const asNumber = (found: Extraction<string>): Extraction<number> =>
  found.kind === 'unparsed' ? found : { ...found, answer: Number(found.answer) }

export const parsers: Parsers<Shared, Given, number> = {
  strict: (text) => asNumber(strictNumber(text, UNITS)),
  lenient: (text) => asNumber(lenientNumber(text, UNITS)),
}

/** 1 for the number. Subscore `sign`: is it rightly 0, or rightly above 0? */
export const grade = ({ answer: wanted }: Problem<Shared, Given, number>, answer: number): Grade => ({
  value: answer === wanted ? 1 : 0,
  parts: { sign: answer > 0 === wanted > 0 ? 1 : 0 },
})
