import { z } from 'zod'
import { editDistance } from '../../../core/edit-distance.ts'
import { below, defineTask, type Grade, type Preset, type Problem, pick } from '../../../core/index.ts'
import { bigramVerdict } from '../../../libraries/grammars/grammar/adjacency.ts'
import { applySwap, swapFinder } from '../../../libraries/grammars/negatives/segment-swap.ts'
import { nearestMember } from '../../../libraries/grammars/recognise/distance.ts'
import { derivationOf } from '../grammars/derivation.ts'
import { bandKinds, dial, dialChecks, dialCurriculum, workPreset } from '../grammars/dial.ts'
import { adjacencyOf, liftedOf, namesOf, type Shared, textOf, tokensOf } from '../grammars/grammar.ts'
import { languageOf } from '../grammars/languages.ts'
import { withOwn } from '../grammars/own.ts'
import { fenced } from '../grammars/present.ts'
import { provedByDerivation } from '../grammars/proved.ts'
import { type Given, workOf } from '../grammars/strings.ts'
import { answerLine, chat, exactBaseline, overGrammars, tokenLine, withTiring } from '../grammars/task.ts'
import { parserOf } from '../grammars/text-parser.ts'
import { type Answer, draw, features } from './draw.ts'
import { parsers } from './edits.ts'
import { MAX_DISTANCE, oracle } from './oracle.ts'

const config = dialChecks(
  z.strictObject({
    ...dial,
    form: dial.form.removeDefault().default('greibach').describe('As in relic/parse'),
    maxDistance: z
      .int()
      .min(1)
      .max(MAX_DISTANCE)
      .default(2)
      .describe('Fewest edits that make a string belong: 1 to this number, equally often'),
  }),
)
export type Config = z.infer<typeof config>

const presets: { readonly [name: string]: Preset<Config> } = {
  'repair-easy': {
    summary: '40 rules, strings of 8 to 12 tokens',
    config: { rules: { low: 40, high: 40 }, minLength: 8, maxLength: 12, maxDistance: 1 },
  },
  repair: { summary: '60 to 400 rules, strings of 12 to 20 tokens, one or two edits', config: { minLength: 12 } },
  'repair-2000': {
    summary: '2,000 rules, strings of 20 to 28 tokens, one or two edits',
    config: { rules: { low: 2000, high: 2000 }, load: 0.6, minLength: 20, maxLength: 28 },
  },
  'repair-work': workPreset({ maxLength: 28, perGrammar: 6, workBands: [32, 64, 128, 256] }),
  'repair-hard': {
    summary: '400 to 1,000 rules, strings of 16 to 28 tokens, one or two edits',
    config: { rules: { low: 400, high: 1000 }, load: 0.55, minLength: 16, maxLength: 28 },
  },
}

const edits = (given: Given, answer: Answer): number => editDistance(given.string.split(' '), answer)

/**
 * 1 for a string of the language with the fewest edits. Subscores: `member`, does it belong to the language; `excess`, 1 for
 * the fewest edits, 0 for twice as many and for strings that do not belong.
 */
function grade({ shared, given, answer: nearest }: Problem<Shared, Given, Answer>, answer: Answer): Grade {
  const member = parserOf(shared).accepts(answer)
  const least = edits(given, nearest)
  const used = edits(given, answer)
  return {
    value: member && used === least ? 1 : 0,
    parts: { member: member ? 1 : 0, excess: member ? Math.max(0, 2 - used / least) : 0 },
  }
}

/** A derivation of the answer; that none is nearer is checked by neighbourhoods. */
const proved = provedByDerivation<Given, Answer>({
  stringOf: (_question, answer) => answer?.join(' ') ?? null,
  derivationOf: ({ shared, answer }) => derivationOf(shared, answer.join(' ')),
  oracle,
  gold: ({ answer }) => answerLine(answer),
  parser: parsers['strict']!,
  decides: (_shared, answer) => answer.join(' '),
})

/** Every distance, in every band of work where that is controlled. */
const kinds = (config: Config) =>
  Array.from({ length: config.maxDistance }, (_, k) => ({ distance: k + 1 })).flatMap((kind) =>
    config.workBands === null ? [kind] : bandKinds(config).map((band) => ({ ...kind, ...band })),
  )

/** Most edits of an example. */
const MAX_EDITS = 2

export const repair = defineTask({
  name: 'relic/repair',
  summary: 'Change this string into one of the language with the fewest edits',
  ...overGrammars<Given>({
    text: ({ string }) => string,
    ask: (string) =>
      'This string does not belong to the language. Change it into one that does with as few edits as possible: an edit ' +
      `inserts, deletes or replaces one token. If there are several ways, any of them is correct.\n${fenced(string)}`,
    form:
      'Reason in whatever way you like. Close with one line that says "Answer:" and the changed string, tokens separated by ' +
      "spaces. For example, with the rules S -> 'x' A and A -> 'y', the string \"x y y\" becomes\nAnswer: x y",
    lengths: { shortest: 4, longer: 0 },
    example({ shared }, member, stream) {
      const { cnf } = liftedOf(shared)
      const swap = swapFinder(cnf.terminals.length)(member, 2)?.(stream)
      if (swap == null) return null
      const string = applySwap(member, swap)
      const nearest = nearestMember(cnf, string, MAX_EDITS)
      return nearest === null || nearest.distance === 0
        ? null
        : { text: textOf(shared, string), answer: tokenLine(shared, nearest.tokens) }
    },
  }),
  version: 2,
  ...proved,
  ...withOwn(draw, kinds),
  config,
  curriculum: dialCurriculum<Config>({ form: 'greibach' }, 4, 7),
  presets,
  features,
  parsers,
  grade,
  tieBreaker: 'excess',
  baselines: withTiring<Given>(
    {
      chart: exactBaseline(
        'exact: a chart of least edits',
        ({ shared, given }) => {
          const found = nearestMember(liftedOf(shared).cnf, tokensOf(shared, given.string), MAX_DISTANCE)
          return namesOf(shared, found?.tokens ?? [])
        },
        proved.solution,
      ),
      'legal-edit': chat(
        'one random edit after which all neighbouring tokens may stand side by side',
        ({ shared, given }, draws) => {
          const stream = draws.stream('edits')
          const size = liftedOf(shared).cnf.terminals.length
          const tokens = tokensOf(shared, given.string)
          let edited = tokens
          for (let tries = 0; tries < 100; tries++) {
            const at = below(stream, tokens.length)
            const token = below(stream, size)
            const kind = below(stream, 3)
            edited = [...tokens.slice(0, at), ...(kind === 0 ? [] : [token]), ...tokens.slice(kind === 2 ? at : at + 1)]
            if (bigramVerdict(adjacencyOf(shared), edited).kind === 'legal') break
          }
          return tokenLine(shared, edited)
        },
      ),
      random: chat('a random string of the language of the same length', ({ shared, given }, draws) => {
        const stream = draws.stream('string')
        const length = given.string.split(' ').length
        const { sampler, inside } = languageOf(shared, length)
        const lengths = Array.from({ length }, (_, k) => k + 1).filter((n) => inside.weight[n]! > 0)
        const own = lengths.includes(length) ? length : pick(stream, lengths)
        return tokenLine(shared, sampler.sample(stream, own))
      }),
    },
    'legal-edit',
    // Of a string outside the language there is no Earley chart up to its end.
    ({ shared, given }) => workOf(shared, tokensOf(shared, given.string), 'cnf'),
  ),
})
