import { UsageError } from '../../core/index.ts'
import { failure, type Model, type ModelCall, plainAnswer } from '../model.ts'
import type { Provider, Replay } from '../provider.ts'
import { settingsText } from '../settings.ts'

/** Recorded responses, asked again without a network: for tests, reviewers and new scorers. */
export const replay: Provider = {
  name: 'replay',
  argument: 'DIR',
  summary: 'responses of an earlier run (a run folder; DIR#MODEL where it holds several models) or of a JSONL file',
  needs: (argument) => ({ file: argument }),
  open: async (argument, _options, around) => replayModel(`replay:${argument}`, await around.openReplay(argument)),
}

function replayModel(name: string, recorded: Replay): Model {
  return {
    name,
    kind: 'chat',
    route: name,
    concurrency: { start: 16, most: 16 },
    reusesContext: false,
    check(task) {
      const reason = recorded.against(task)
      if (reason !== null) throw new UsageError(`${name}: ${reason}`)
    },
    async call(call: ModelCall) {
      const { item, style, sample } = call
      const settings = settingsText(call.settings)
      const reason = recorded.against(call.task)
      const found = reason === null ? await recorded.find({ item, style, sample, settings }) : null
      if (found === null)
        return failure(
          'not-recorded',
          `${name} holds no response to ${item} in style ${style}, sample ${sample}${reason === null ? otherwise(recorded, settings) : `: ${reason}`}`,
          'never',
          // One after another, and the next may be there.
          { boundary: 'runner', free: true },
        )
      const ignored = recorded.settings.includes(settings) ? [] : Object.keys(call.settings)
      return plainAnswer(found.text, { ...found, ignored })
    },
    close: () => recorded.close(),
  }
}

const otherwise = ({ settings }: Replay, asked: string): string =>
  settings.length < 2 || settings.includes(asked)
    ? ''
    : ` with settings ${asked}; it has ${settings.join(', ')}: write these beside the model in an experiment`
