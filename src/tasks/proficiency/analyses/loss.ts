import type { Analysis, Estimate } from '../../../core/index.ts'
import { curvesOf, estimate, needs, number, text } from './cells.ts'
import { drawnLoss, languageExcess, languageLoss } from './language-loss.ts'
import { centreOf } from './mean-of.ts'

/** The generative test: the loss of unseen strings of the language. */
export const lossAnalysis: Analysis = {
  id: 'proficiency/loss',
  title: 'Generative test: loss of unseen strings of the language',
  source: { paper: 'A Formal Language Benchmark for LLMs', item: 'section 3' },
  notes: [
    'Losses are of the language: its oracle’s exact loss (H(L) a string), plus the excess of the strings drawn, each weighted by the share of its stratum of probability in the language over that among the strings that the fence lets a test draw.',
    'As drawn is the plain mean, which is that of the language given the fence; the entropy given the fence is beside it. Reached: the share of the language in strata of which strings can be drawn; a likely string that may not be tested has its neighbours’ excess.',
    'Nats are natural-log losses. Per token is the paper’s loss(M, L), the mean over strings of the loss a token of the model.',
    'Per terminal divides by terminals of the grammar (a scored terminator is one), so it does not depend on the tokenizer; perplexity is its exponential.',
    'Excess is what a string costs above -ln P(s), its cost to the language itself; its mean is a Kullback-Leibler divergence, at least 0.',
    'Not comparable across models that differ in priors; compare the AUC instead.',
  ],
  needs,
  run(frame) {
    const rows = curvesOf(frame).flatMap(({ model, language, byK }) =>
      [...byK].flatMap(([k, contexts]) => {
        const natsPerTerminal = languageLoss(contexts, 'terminal')
        if (natsPerTerminal === null) return []
        const strings = contexts.flatMap((context) => context.strings)
        const known = strings.find(({ weighting }) => weighting !== null)?.weighting
        return [
          {
            model,
            language,
            k,
            natsPerTerminal,
            natsPerToken: languageLoss(contexts, 'token'),
            nats: languageLoss(contexts, 'string'),
            excess: languageExcess(contexts, 'string'),
            excessPerTerminal: languageExcess(contexts, 'terminal'),
            drawn: drawnLoss(contexts, 'string'),
            entropy: known?.entropy ?? null,
            conditional: known?.conditional ?? null,
            reached: known?.reached ?? null,
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
        estimate('drawn', 'Loss a string as drawn', 'nats'),
        number('entropy', 'H(L)', 'nats'),
        number('conditional', 'H given the fence', 'nats'),
        number('reached', 'Reached', 'share'),
      ],
      rows: rows as readonly { readonly [key: string]: string | number | null | Estimate }[],
    }
    return { tables: [table] }
  },
}
