import { type Call, failure, type Model, plainAnswer } from '../model.ts'
import type { Provider, Replay } from '../provider.ts'
import { settingsText } from '../settings.ts'

/** Recorded responses, asked again without a network: for tests, reviewers and new scorers. */
export const replay: Provider = {
  name: 'replay',
  rest: 'DIR',
  summary: 'responses of an earlier run (a run folder; DIR#MODEL where it holds several models) or of a JSONL file',
  open: async (rest, _options, around) => replayModel(`replay:${rest}`, await around.openReplay(rest)),
}

function replayModel(name: string, recorded: Replay): Model {
  return {
    name,
    kind: 'chat',
    route: name,
    concurrency: { start: 16, most: 16 },
    byContext: false,
    async ask(call: Call) {
      const { item, style, sample } = call
      const found = await recorded.find({ item, style, sample, settings: settingsText(call.settings) })
      if (found === null)
        return failure(
          'not-recorded',
          `${name} holds no response to ${item} in style ${style}, sample ${sample}`,
          'never',
        )
      return plainAnswer(found.text, found)
    },
    close: () => recorded.close(),
  }
}
