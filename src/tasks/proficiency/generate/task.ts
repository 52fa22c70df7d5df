import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import {
  type ChatRequest,
  type DrawContext,
  type DrawResult,
  defineTask,
  type JsonObject,
  type Layout,
  type Problem,
  type Question,
  type RandomStreams,
} from '../../../core/index.ts'
import { bestDerivation, derives, textOf, tokensOf, yieldOf } from '../../../libraries/grammars/pcfg/index.ts'
import { generationAnalyses } from '../analyses/generation.ts'
import { group } from '../discriminate/draw.ts'
import type { Plan, Shared } from '../discriminate/types.ts'
import { checkFormat, type Format, joinTokens } from '../format.ts'
import { languageOf } from '../languages/compiled.ts'
import { planLanguages } from '../languages/make.ts'
import { baselines } from './baselines.ts'
import { type Config, configSchema, curriculum, presets } from './config.ts'
import { gradeStrings } from './measure.ts'
import { lenient, strict } from './parsers.ts'
import { earned, expected, goldStrings } from './standard.ts'

export interface Asked extends JsonObject {
  /** The first k of the group's list. */
  readonly examples: readonly string[]
  readonly strings: number
}

const features = z.object({
  language: feature(z.string(), 'difficulty', 'name of the language'),
  repetition: feature(z.int(), 'nuisance', 'repetition of the example list'),
  k: feature(z.int(), 'difficulty', 'examples shown', 'strings'),
  strings: feature(z.int(), 'difficulty', 'new strings requested', 'strings'),
})

type ItemFeatures = z.infer<typeof features>

function plan(config: Config, draws: RandomStreams): Plan {
  // Questions are example lists of languages with far more than 2^60 of them: independent draws suffice, no partition
  // is needed.
  const languages = planLanguages(config.languages, draws, () => true)
  for (const { name, grammar } of languages)
    checkFormat(config.format as Format, languageOf(grammar).grammar.terminals, name)
  return { languages }
}

function layout(config: Config, planned: Plan): Layout {
  const groups = planned.languages.length * config.repetitions
  const strata = config.examples.map((k) => ({ k }))
  return {
    size: groups * strata.length * config.requests,
    strata,
    layout: 'interleaved',
    at(index) {
      const stratum = index % strata.length
      const rest = Math.floor(index / strata.length)
      return { stratum, unit: stratum, group: rest % groups, ordinal: Math.floor(rest / groups) }
    },
  }
}

function draw(
  config: Config,
  shared: Shared,
  at: DrawContext,
  _draws: RandomStreams,
  cell: RandomStreams,
): DrawResult<Asked, readonly string[], ItemFeatures> {
  const k = config.examples[at.stratum] as number
  const stream = cell.stream('gold', at.ordinal)
  const examples = shared.examples.slice(0, k)
  const answer = goldStrings(stream, shared.grammar, examples, config.strings)
  if (earned(shared.grammar, examples, answer, config.strings) < expected(shared.grammar, examples, config.strings))
    return { kind: 'unreachable', proved: false, reason: `too few new strings of ${shared.language} were found` }
  return {
    kind: 'drawn',
    given: { examples, strings: config.strings },
    answer,
    features: { language: shared.language, repetition: shared.repetition, k, strings: config.strings },
  }
}

function request({ shared, given }: Question<Shared, Asked>, style: string): ChatRequest {
  const separator = style === 'spaced' ? ' ' : shared.format.separator
  const examples = given.examples.map((text) => joinTokens(text, separator))
  const shown =
    examples.length === 1
      ? 'The line below is one string of a formal language that is not described in any other way. It was drawn at random.'
      : 'Each line below is one string of a formal language that is not described in any other way. The lines were drawn at random.'
  const opening = shared.format.instruction === '' ? [] : [shared.format.instruction]
  const content = [
    ...opening,
    `${shown} Likely strings come more often.`,
    examples.join('\n'),
    given.strings === 1
      ? `Write one more string of the same language, drawn in the same way but not shown above, in the same notation. Answer with that one line only.`
      : `Write ${given.strings} more strings of the same language, drawn in the same way, but none that is shown above and none twice: one on each line, in the same notation. Answer with those ${given.strings} lines only.`,
  ].join('\n\n')
  return { kind: 'chat', messages: [{ role: 'user', content }] }
}

/** Do the strings that a chart derives earn what the language does? Grading walks the prefix automaton or sums over pairs. */
function oracle({ shared, given }: Question<Shared, Asked>, answer: readonly string[]): boolean {
  const { grammar } = languageOf(shared.grammar)
  const members = answer.filter((text) => {
    const tokens = tokensOf(grammar, text)
    return tokens !== null && tokens.length > 0 && derives(grammar, tokens)
  })
  const paid = earned(shared.grammar, given.examples, members, given.strings, answer.length)
  return paid > 0 && paid >= expected(shared.grammar, given.examples, given.strings)
}

/** A derivation of every string. */
function witness({ shared, answer }: Problem<Shared, Asked, readonly string[]>) {
  const { grammar } = languageOf(shared.grammar)
  return answer.map((text) => bestDerivation(grammar, tokensOf(grammar, text) ?? []))
}

/** The model writes strings of the language: are they of it, are they new, are they distributed as it? */
export const generate = defineTask<Config, Plan, Shared, Asked, readonly string[], ItemFeatures>({
  name: 'proficiency/generate',
  groupNoun: 'example lists',
  summary: 'Write new strings of a formal language from examples',
  version: 2,
  scorerVersion: 4,
  promptVersion: 3,
  config: configSchema,
  curriculum,
  presets,
  features,
  plan,
  layout,
  group: (c, planned, number, draws) =>
    group({ ...c, distances: [], disjoint: 'fence', examplesFrom: 'drawn', pool: 0, tests: 0 }, planned, number, draws),
  draw,
  styles: ['lines', 'spaced'],
  request,
  parts: {
    texts: {
      examples: ({ shared, given }) =>
        given.examples.map((text) => joinTokens(text, shared.format.separator)).join('\n'),
      strings: ({ given }) => String(given.strings),
      instruction: ({ shared }) => shared.format.instruction,
    },
    needs: ['examples'],
  },
  parsers: { strict, lenient },
  grade: gradeStrings,
  gold: ({ shared, answer }) => answer.map((text) => joinTokens(text, shared.format.separator)).join('\n'),
  oracle,
  witness,
  check({ shared, answer }, proof) {
    const { grammar } = languageOf(shared.grammar)
    if (!Array.isArray(proof) || proof.length !== answer.length) return false
    return proof.every((derivation: unknown, i) => {
      if (!Array.isArray(derivation) || !derivation.every((r) => typeof r === 'number')) return false
      const tokens = yieldOf(grammar, derivation)
      return tokens !== null && textOf(grammar, tokens) === answer[i]
    })
  },
  drawings: ({ answer }) => [{ kind: 'text', title: 'Strings of the language', text: answer.join('\n') }],
  analyses: generationAnalyses,
  declaredShortcuts: () =>
    ['answerer/most-frequent', 'answerer/best-constant'].map((probe) => ({
      probe,
      why: 'new strings of the language are a correct answer to every item of that language',
      gain: [0, 1] as const,
    })),
  baselines,
})
