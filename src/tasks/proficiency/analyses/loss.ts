import { type Analysis, column, tableOf } from '../../../core/index.ts'
import { mean, sum } from '../../../libraries/statistics/index.ts'
import { curvesOf, language, model, needs, PAPER, pointsOf, type ScoredString } from './contexts.ts'
import { centreOf, drawnLoss, languageExcess, languageLoss, type Mean } from './losses.ts'

/** The generative test: the loss of unseen strings of the language. */
export const lossAnalysis: Analysis = {
  id: 'proficiency/loss',
  title: 'Generative test: loss of unseen strings of the language',
  source: { paper: PAPER, item: 'section 3' },
  notes: [
    'Losses over the language: exact loss of the oracle (H(L) per string) plus the excess of the drawn strings, weighted by stratum.',
    'As drawn: plain mean over the split; its entropy is beside it. Reached: share of the language in strata that can be drawn.',
    'Nats are natural-log losses. Per token: the loss(M, L) of the paper. Per terminal of the grammar: independent of the tokenizer; perplexity is its exponential.',
    'As released: all tokens of all strings together. Floor: a loss per terminal below that of the language itself is none of the language.',
    'Mass: mean probability of the tokens that the prompt has. In the alphabet: loss given that one of them comes; a prior for other text costs nothing there. Both where the model gives it.',
    'Excess: loss above -ln P(s); its mean is a Kullback-Leibler divergence, at least 0.',
    'Not comparable across models with different priors; compare the AUC instead.',
  ],
  needs,
  run(frame) {
    const [masses, losses] = ['metric_mass', 'metric_natsInAlphabet'].map((name) =>
      frame.has(name) ? frame.number(name) : null,
    )
    const rows = pointsOf(curvesOf(frame)).flatMap(({ contexts, ...key }) => {
      const perTerminal = languageLoss(contexts, 'terminal')
      const strings = contexts.flatMap((context) => context.strings.filter(({ distance }) => distance === '0'))
      const known = strings.find(({ weighting }) => weighting !== null)?.weighting
      return perTerminal === null ? [] : [{ key, contexts, perTerminal, strings, known }]
    })
    const leading = [model, language, column.number('k', 'Examples')]
    const title = 'Loss by model, language and number of examples'
    const byModel = tableOf('proficiency/loss', title, leading, rows, [
      [column.estimate('natsPerTerminal', 'Loss per terminal', 'nats'), ({ perTerminal }) => perTerminal],
      [column.estimate('natsPerToken', 'Loss per token', 'nats'), ({ contexts }) => languageLoss(contexts, 'token')],
      [column.estimate('nats', 'Loss per string', 'nats'), ({ contexts }) => languageLoss(contexts, 'string')],
      [column.estimate('excess', 'Excess per string', 'nats'), ({ contexts }) => languageExcess(contexts, 'string')],
      [
        column.estimate('excessPerTerminal', 'Excess per terminal', 'nats'),
        ({ contexts }) => languageExcess(contexts, 'terminal'),
      ],
      [column.number('perplexity', 'Perplexity per terminal'), ({ perTerminal }) => Math.exp(centreOf(perTerminal))],
      [column.estimate('drawn', 'Loss per string as drawn', 'nats'), ({ contexts }) => drawnLoss(contexts, 'string')],
      [
        column.number('pooled', 'Loss per token as released', 'nats'),
        ({ strings }) => sum(strings.map(({ nats }) => nats)) / sum(strings.map(({ tokens }) => tokens)),
      ],
      [column.number('mass', 'Mass on the alphabet', 'share'), ({ strings }) => meanOver(strings, masses)],
      [
        column.number('inAlphabet', 'Loss per terminal in the alphabet', 'nats'),
        ({ strings }) => meanOver(strings, losses),
      ],
      [column.number('entropy', 'H(L)', 'nats'), ({ known }) => known?.entropy ?? null],
      [
        column.text('floor', 'Floor'),
        ({ known, perTerminal }) =>
          known != null && highOf(perTerminal) < known.entropyPerTerminal - 1e-9
            ? 'below: something else was counted'
            : '',
      ],
      [column.number('conditional', 'H given the split', 'nats'), ({ known }) => known?.conditional ?? null],
      [column.number('reached', 'Reached', 'share'), ({ known }) => known?.reached ?? null],
    ])
    return { tables: [byModel] }
  },
}

/** null where the model does not give it. */
function meanOver(strings: readonly ScoredString[], values: Float64Array | null | undefined): number | null {
  const found = strings.map(({ row }) => values?.[row] ?? Number.NaN)
  return found.some(Number.isNaN) ? null : mean(found)
}

const highOf = (loss: Mean): number => (typeof loss === 'number' ? loss : loss.high)
