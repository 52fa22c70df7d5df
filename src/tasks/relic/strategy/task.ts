import { z } from 'zod'
import { defineTask, type Question } from '../../../core/index.ts'
import type { Shared } from '../grammars/grammar.ts'
import { chat } from '../grammars/task.ts'
import { itemFacts } from '../recognize/work.ts'
import { analyses } from './analyses/index.ts'
import { checkedStrategy, features } from './checker.ts'
import { drawings } from './drawings.ts'
import { readStrategy } from './measure-strategy.ts'
import { type Given, parsers, request, type Strategy, strategies } from './prompt.ts'

const none = {
  kind: 'unreachable',
  proved: true,
  reason: 'its items are responses of a run: touchstone analyze judge RUN',
} as const

/**
 * Which strategy does a chain of thought follow? The truth that an answer is held against is what the trace checker can
 * prove, so "accuracy" is a judge's agreement with it.
 */
export const strategy = defineTask({
  name: 'relic/strategy',
  groupNoun: 'grammars',
  summary: 'Which strategy does a chain of thought follow? Responses to relic/recognize, labelled by a judge',
  version: 1,
  scorerVersion: 5,
  promptVersion: 1,
  config: z.strictObject({}),
  presets: {},
  features,
  layout: () => ({ size: 0, strata: [], layout: 'none', at: () => none }),
  draw: (_config, _shared: Shared) => none,
  styles: ['zero-shot'],
  request,
  parts: { texts: { response: ({ given }) => given.response } },
  parsers,
  grade: (problem, answer) => ({ value: answer === problem.answer ? 1 : 0 }),
  gold: ({ answer }) => answer,
  choices: () => strategies,
  oracle: (question: Question<Shared, Given>, answer: Strategy) => checkedStrategy(question) === answer,
  witness: ({ answer }) => answer,
  check: (problem, witness) => witness === problem.answer && checkedStrategy(problem) === witness,
  drawings,
  baselines: {
    reader: chat<Given>('by the words of the response, fitted to the released judgements of o4-mini', readStrategy),
    checker: chat<Given>('what the trace checker can prove about the response', (question) =>
      checkedStrategy(question),
    ),
    published: chat<Given>(
      'by length alone, as the paper finds it: rule-based up to 10 tokens, heuristic beyond',
      ({ given }) => (given.string.split(' ').length <= 10 ? 'rule-based' : 'heuristic'),
    ),
  },
  itemFacts,
  analyses,
})
