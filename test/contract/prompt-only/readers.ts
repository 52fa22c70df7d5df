import type { Item, Request, Task } from '../../../src/core/index.ts'
import { induce } from '../../../src/tasks/pbebench/induce/task.ts'
import { reorder } from '../../../src/tasks/pbebench/reorder/task.ts'
import { soundChange } from '../../../src/tasks/pbebench/sound-change/task.ts'
import { soundLaws } from '../../../src/tasks/pbebench/sound-laws/task.ts'
import { discriminate } from '../../../src/tasks/proficiency/discriminate/task.ts'
import { generate } from '../../../src/tasks/proficiency/generate/task.ts'
import { comparison } from '../../../src/tasks/recoglab/comparison/task.ts'
import { families } from '../../../src/tasks/recoglab/families/task.ts'
import { social } from '../../../src/tasks/recoglab/social/task.ts'
import { syllogism } from '../../../src/tasks/recoglab/syllogism/task.ts'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'
import { trains } from '../../../src/tasks/slr-bench/trains/task.ts'
import {
  solveComparison,
  solveFamilies,
  solveSocial,
  solveSyllogism,
  solveTwins,
} from '../../unit/recoglab/prompt-solvers.ts'
import { judgeString, type Known, type Truth, tryStrings } from './proficiency.ts'
import { recogniseString } from './relic.ts'
import { orderRules, tryProgram } from './rewriting.ts'
import { tryLaws } from './sounds.ts'
import type { Reader } from './survey.ts'
import { findRules } from './trains.ts'

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

const answered = (text: string | null): readonly string[] => (text === null ? [] : [`Answer: ${text}`])

/** One name: everybody that fits; a number or a way: the one given, if it does. */
const ofNetwork: Reader = (asked, { answer }, gold) => {
  const { people, accept } = solveSocial(words(asked))
  const names = people.filter((name) => accept([name])).flatMap(answered)
  if (names.length > 0) return { kind: 'answers', texts: names }
  return { kind: 'answers', texts: accept(answer as readonly string[]) ? [gold] : [] }
}

/** By what is known of one individual; where that is few enough, by all kinds of individuals as well. */
function followsFrom(prompt: string): readonly string[] {
  const first = solveTwins(prompt)
  const terms = new Set(
    [...prompt.matchAll(/^(?:All|No|Some) (.+) are (?:not )?(.+)\.$/gm)].flatMap(([, s, p]) => [s, p]),
  )
  if (terms.size > 8 || !prompt.includes('Exactly one of these')) return answered(first)
  const second = solveSyllogism(prompt)
  return first === second ? answered(first) : [...answered(first), ...answered(second)]
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
  {
    task: comparison,
    read: solves((prompt) => answered(solveComparison(prompt))),
    quick: ['objects', 'feasibility', 'consistency', 'tree', 'congruent-size', 'random-string-weight', 'capacity-20'],
  },
  {
    task: social,
    read: ofNetwork,
    quick: ['next-hop-tree-10', 'oldest-16', 'youngest-16', 'karate-34', 'one-way-20', 'path-tree-10-flavoured'],
  },
  {
    task: syllogism,
    read: solves(followsFrom),
    quick: ['chain', 'judge', 'import-4', 'true-premises-3', 'chain-published'],
  },
  {
    task: families,
    read: solves((prompt) => answered(solveFamilies(prompt))),
    quick: ['size', 'hobby', 'larger', 'older', 'shared-hobbies', 'older-yaml', 'older-xml', 'older-prose'],
  },
  { task: trains, read: solves(findRules) },
  { task: soundLaws, read: tries(tryProgram) },
  {
    task: soundChange,
    read: (asked, { features }, gold) => ({
      kind: 'answers',
      texts: tryLaws(words(asked), gold, Number(features['loans'])),
    }),
  },
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
