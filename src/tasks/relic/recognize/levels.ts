import type { Curriculum } from '../../../core/index.ts'
import type { Config } from './config.ts'

const sizes = (low: number, high: number) => ({ kind: 'uniform', low, high }) as const

/** From which level on strings are long enough to have twins; below, what is local tells much by nature. */
const WITH_TWINS = 2

/** Larger grammars and longer strings together; grammars without end. */
export const levels: Curriculum<Config> = {
  count: 10,
  grows: 'proof',
  config: (level) => ({
    grammars: null,
    selection: 'none',
    terminals: sizes(6 + 4 * level, 8 + 5 * level),
    nonterminals: sizes(5 + 2 * level, 6 + 3 * level),
    lexical: sizes(8 + 6 * level, 12 + 8 * level),
    binary: sizes(12 + 10 * level, 16 + 12 * level),
    minLength: 2 + 2 * level,
    maxLength: 6 + 4 * level,
    perCell: 2,
    ...(level < WITH_TWINS ? { twins: 'none' } : {}),
  }),
}
