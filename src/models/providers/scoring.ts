import { UsageError } from '../../core/index.ts'
import { LOCAL, type Model } from '../model.ts'
import { givenKey, type Provider, requireBaseUrl, routeOf } from '../provider.ts'
import { scoringModel } from '../scored.ts'
import { servers } from '../scoring/completions.ts'
import { openScoringModel, ScoringError, type ScoringModel, type ScoringOptions } from '../scoring/index.ts'
import { probing } from '../scoring/probe.ts'
import { MAX_SCORES, transportUpTo } from '../transport.ts'

const BASE_URL = 'COMPLETIONS_BASE_URL'
const API_KEY = 'COMPLETIONS_API_KEY'

const onServer = { kind: 'score', remote: true, probing: probing(servers.length) } as const

/** Models that give probabilities of texts: they answer scored requests, and closed questions by their choices. */
export const scoringProviders: readonly Provider[] = [
  {
    name: 'tiny',
    rest: '',
    summary:
      'the small transformer in the package: knows no language, learns formal ones in context; tiny:FILE takes the weights of a checkpoint, tiny:40k@320 those of a size (10k, 40k, 124k) at a step of its training',
    open: (rest) => local(rest === '' ? 'tiny' : `tiny:${rest}`, {}),
  },
  {
    name: 'gguf',
    rest: 'FILE',
    summary: 'a GGUF file, run here by the optional package node-llama-cpp; FILE?contextSize=8192&threads=4&gpu=auto',
    open: (rest) => local(`gguf:${rest}`, {}),
  },
  {
    name: 'completions',
    rest: 'MODEL',
    summary: `log-probabilities from a server with /completions (vLLM, SGLang, TGI, llama.cpp, trtllm-serve and kin); base URL in ${BASE_URL}, key (if any) in ${API_KEY}`,
    secrets: (options) => [options.apiKeyEnv ?? API_KEY],
    costs: () => true,
    facts: () => onServer,
    async open(rest, options, around) {
      const baseUrl = requireBaseUrl(options, around, BASE_URL)
      const apiKey = givenKey(options, around, API_KEY)
      const scorer = await opened(`completions:${rest}`, {
        completions: {
          baseUrl,
          ...(apiKey === undefined ? {} : { apiKey }),
          fetch: transportUpTo(MAX_SCORES),
          // The run's own time limit comes with every call.
          timeoutMs: null,
        },
      })
      return scoringModel(scorer, {
        route: routeOf('completions', baseUrl),
        // Four requests of 16 strings: what the client makes of them.
        concurrency: { start: 64, most: 64 },
        byContext: true,
        ...onServer,
      })
    },
  },
]

async function local(spec: string, options: ScoringOptions): Promise<Model> {
  return scoringModel(await opened(spec, options), { route: spec, concurrency: LOCAL, byContext: true, unpaid: true })
}

async function opened(spec: string, options: ScoringOptions): Promise<ScoringModel> {
  try {
    const scorer = await openScoringModel(spec, options)
    return {
      ...scorer,
      name: spec,
      score: scorer.score.bind(scorer),
      ...(scorer.close === undefined ? {} : { close: scorer.close.bind(scorer) }),
    }
  } catch (error) {
    // Found out before a run, by the person who named the model.
    if (error instanceof ScoringError) throw new UsageError(`${spec}: ${error.message}`)
    throw error
  }
}
