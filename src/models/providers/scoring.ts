import { UsageError } from '../../core/index.ts'
import { givenHeaders, headerVariables } from '../headers.ts'
import { scoringModel } from '../loglikelihood.ts'
import { LOCAL, type Model } from '../model.ts'
import { givenKey, type Provider, requireBaseUrl, routeOf, serverOf } from '../provider.ts'
import {
  ggufSpec,
  isOfSeries,
  openCompletions,
  openGguf,
  openTiny,
  probing,
  ScoringError,
  type ScoringModel,
  servers,
} from '../scoring/index.ts'

const BASE_URL = 'COMPLETIONS_BASE_URL'
const API_KEY = 'COMPLETIONS_API_KEY'

const ONE_EACH = '?tokens=one-each'

const onServer = { kind: 'score', remote: true, probing: probing(servers.length) } as const

/** Models that give probabilities of texts: they answer scored requests, and closed questions by their choices. */
export const scoringProviders: readonly Provider[] = [
  {
    name: 'tiny',
    argument: '',
    summary:
      'the small transformer in the package: knows no language, learns formal ones in context; tiny:FILE takes the weights of a checkpoint, tiny:40k@320 those of a size (10k, 40k, 124k) at a step of its training',
    needs: (argument) => (argument === '' || isOfSeries(argument) ? {} : { file: argument }),
    open: (argument) => local(argument === '' ? 'tiny' : `tiny:${argument}`, () => openTiny(argument)),
  },
  {
    name: 'gguf',
    argument: 'FILE',
    summary: 'a GGUF file, run here by the optional package node-llama-cpp; FILE?contextSize=8192&threads=4&gpu=auto',
    needs: (argument) => ({ file: argument }),
    open: (argument) =>
      local(`gguf:${argument}`, () => {
        const { file, asked } = ggufSpec(argument)
        return openGguf(file, asked)
      }),
  },
  {
    name: 'completions',
    argument: 'MODEL',
    summary: `log-probabilities from a server with /completions (vLLM, SGLang, TGI, llama.cpp, trtllm-serve and kin); base URL in ${BASE_URL}, key (if any) in ${API_KEY}; MODEL${ONE_EACH}: prompts as ids, one for each character (vLLM, SGLang)`,
    needs: (_argument, options) => ({
      server: serverOf(options, { variable: BASE_URL }),
      secrets: [options.apiKeyEnv ?? API_KEY, ...headerVariables(options)],
    }),
    costs: () => true,
    facts: () => onServer,
    async open(argument, options, around) {
      const baseUrl = requireBaseUrl(options, around, BASE_URL)
      const apiKey = givenKey(options, around, API_KEY)
      const name = `completions:${argument}`
      const scorer = await opened(name, () =>
        // The run's own time limit comes with every call.
        openCompletions(argument.endsWith(ONE_EACH) ? argument.slice(0, -ONE_EACH.length) : argument, {
          baseUrl,
          oneEach: argument.endsWith(ONE_EACH),
          ...(apiKey === undefined ? {} : { apiKey }),
          headers: givenHeaders(options, around),
          timeoutMs: null,
        }),
      )
      return scoringModel(scorer, {
        name,
        route: routeOf('completions', baseUrl),
        // Four requests of 16 strings: what the client makes of them.
        concurrency: { start: 64, most: 64 },
        reusesContext: true,
        ...onServer,
      })
    },
  },
]

async function local(name: string, open: () => Promise<ScoringModel>): Promise<Model> {
  const settings = { name, route: name, concurrency: LOCAL, reusesContext: true, isLocal: true }
  return scoringModel(await opened(name, open), settings)
}

/** What is wrong with a spec is reported before a run. */
async function opened(spec: string, open: () => ScoringModel | Promise<ScoringModel>): Promise<ScoringModel> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof ScoringError) throw new UsageError(`${spec}: ${error.message}`)
    throw error
  }
}
