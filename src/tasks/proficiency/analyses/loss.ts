import type { Analysis, Estimate } from '../../../core/index.ts'
import { curvesOf, estimate, needs, number, type ScoredString, text } from './cells.ts'
import { centreOf, meanAt } from './mean-of.ts'

/** The generative test: the loss of unseen strings of the language. */
export const lossAnalysis: Analysis = {
  id: 'proficiency/loss',
  title: 'Generative test: loss of unseen strings of the language',
  source: { paper: 'A Formal Language Benchmark for LLMs', item: 'section 3' },
  notes: [
    'Nats are natural-log losses. Per token is the paper’s loss(M, L), the mean over strings of the loss a token of the model.',
    'Per terminal divides by terminals of the grammar (a scored terminator is one), so it does not depend on the tokenizer; perplexity is its exponential.',
    'Excess is what a string costs above -ln P(s), its cost to the language itself; its mean is a Kullback-Leibler divergence, at least 0.',
    'Not comparable across models that differ in priors; compare the AUC instead.',
  ],
  needs,
  run(frame) {
    const rows = curvesOf(frame).flatMap(({ model, language, byK }) =>
      [...byK].flatMap(([k, contexts]) => {
        const own = (value: (s: ScoredString) => number) => meanAt(contexts, '0', value)
        const natsPerTerminal = own((s) => s.nats / s.terminals)
        if (natsPerTerminal === null) return []
        return [
          {
            model,
            language,
            k,
            natsPerTerminal,
            natsPerToken: own((s) => s.nats / s.tokens),
            nats: own((s) => s.nats),
            excess: own((s) => s.nats - s.floor),
            excessPerTerminal: own((s) => (s.nats - s.floor) / s.terminals),
            perplexity: Math.exp(centreOf(natsPerTerminal)),
          },
        ]
      }),
    )
    if (rows.length === 0) return { tables: [] }
    const table = {
      id: 'proficiency/loss',
      title: 'Loss by model, language and number of examples',
      columns: [
        text('model', 'Model'),
        text('language', 'Language'),
        number('k', 'Examples'),
        estimate('natsPerTerminal', 'Loss a terminal', 'nats'),
        estimate('natsPerToken', 'Loss a token', 'nats'),
        estimate('nats', 'Loss a string', 'nats'),
        estimate('excess', 'Excess a string', 'nats'),
        estimate('excessPerTerminal', 'Excess a terminal', 'nats'),
        number('perplexity', 'Perplexity a terminal'),
      ],
      rows: rows as readonly { readonly [key: string]: string | number | null | Estimate }[],
    }
    return { tables: [table] }
  },
}
