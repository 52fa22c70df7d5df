import type { Item, Request, Task } from '../../../src/core/index.ts'
import { induce } from '../../../src/tasks/pbebench/induce/task.ts'
import { reorder } from '../../../src/tasks/pbebench/reorder/task.ts'
import { soundLaws } from '../../../src/tasks/pbebench/sound-laws/task.ts'
import { discriminate } from '../../../src/tasks/proficiency/discriminate/task.ts'
import { generate } from '../../../src/tasks/proficiency/generate/task.ts'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'
import { judgeString, type Known, type Truth, tryStrings } from './proficiency.ts'
import { recogniseString } from './relic.ts'
import { orderRules, tryProgram } from './rewriting.ts'
import type { Reader } from './survey.ts'

const words = (asked: Request): string =>
  asked.kind === 'chat' ? asked.messages.map(({ content }) => content).join('\n') : asked.text

const solves =
  (solve: (prompt: string) => readonly string[]): Reader =>
  (asked) => ({ kind: 'answers', texts: solve(words(asked)) })

const tries =
  (attempt: (prompt: string, gold: string) => readonly string[]): Reader =>
  (asked, _item, gold) => ({ kind: 'answers', texts: attempt(words(asked), gold) })

/** The language is in no prompt: its name and grammar are of the item. */
const languageOf = ({ shared }: Item): Known => {
  const { language, grammar } = shared as { language: string; grammar: string }
  return { name: language, grammar }
}

/** Readers that see of an item what a model sees, and presets for a quick look: the others have large plans. */
export const readers: readonly { readonly task: Task; readonly read: Reader; readonly quick?: readonly string[] }[] = [
  { task: recognize, read: solves(recogniseString), quick: ['relic-demo', 'relic-endless'] },
  { task: reorder, read: solves(orderRules) },
  {
    task: induce,
    read: tries(tryProgram),
    quick: ['pbebench-lite-minimal', 'pbebench-lite', 'pbebench', 'pbebench-25-30', 'pbebench-balanced-2-30'],
  },
  { task: soundLaws, read: tries(tryProgram) },
  {
    task: discriminate,
    read: (asked, item) => ({
      kind: 'faults',
      faults:
        asked.kind === 'score'
          ? judgeString(asked.context, asked.text, languageOf(item), item.answer as unknown as Truth)
          : ['not to be scored'],
    }),
  },
  {
    task: generate,
    read: (asked, item, gold) => ({ kind: 'answers', texts: tryStrings(words(asked), gold, languageOf(item)) }),
  },
]
