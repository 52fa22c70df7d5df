import { UsageError } from '../../core/index.ts'
import type { RunExtension } from '../../runner/extensions.ts'
import { AnswerCache, cacheWarnings } from './answer-cache.ts'
import { cachedModel, recordedModel, untimedModel } from './cached-model.ts'

/** Responses that runs share in a folder: --cache and --offline. */
export const cacheExtension: RunExtension = {
  key: 'cache',
  async openRecording({ redact }, { cache: folder, offline = false }) {
    if (offline && folder === undefined)
      throw new UsageError('--offline needs --cache DIR: the folder with the responses')
    if (folder === undefined) return null
    const cache = new AnswerCache(folder, redact)
    if (!offline) await cache.prepare()
    return {
      offline,
      wrap(model, spec) {
        if (model.remote === true) return cachedModel(model, spec, cache)
        return model.untimed === true ? untimedModel(model) : model
      },
      replace: (spec, facts) => recordedModel(spec, cache, facts),
      warnings: () => cacheWarnings(cache),
    }
  },
}
