import { canonicalJson, type Item, type Json, type Task } from '../core/index.ts'
import { assertThat, ContractError, type ContractTest, shown } from './contract-test.ts'
import { questionOf } from './subject.ts'

/** From so many questions on it says something that they are all alike. */
const SOME = 8

/** Laws of items beside one another: other labels, other words, other questions. */
export const partitionTests: readonly ContractTest[] = [
  {
    id: 'labels',
    description: 'draws every item with the label of its place',
    run({ task, test, some }) {
      const { label, strata } = test.layout
      if (label === undefined) return
      const items = some(40)
      const levelOf = ({ stratum }: Item): string => String(strata[stratum]?.[label])
      for (const item of items) {
        const said = item.features[label]
        assertThat(
          said === undefined || String(said) === levelOf(item),
          `its place has the ${label} ${levelOf(item)}, its feature ${label} is ${shown(said)}`,
          item,
        )
      }
      const levels = new Set(items.map(levelOf))
      const answers = new Map(items.map((item) => [canonicalJson(item.answer), item]))
      const [first] = items
      if (levels.size < 2 || first === undefined) return
      assertThat(
        answers.size > 1,
        `items of the labels ${[...levels].join(', ')} all have the answer ${shown(first.answer)}: draw must use at.levels["${label}"]`,
        items.find((item) => levelOf(item) !== levelOf(first)),
      )
      // Closed answers, no more than there are labels: then a label is an answer, by whatever name.
      if (answers.size > levels.size || items.length < SOME || !items.every((item) => isClosed(task, item))) return
      const answerOf = new Map(items.toReversed().map((item) => [levelOf(item), canonicalJson(item.answer)]))
      for (const item of items)
        assertThat(
          canonicalJson(item.answer) === answerOf.get(levelOf(item)),
          `its answer is ${shown(item.answer)}, that of another item of the label ${levelOf(item)} is ${answerOf.get(levelOf(item))}`,
          item,
        )
    },
  },
  {
    id: 'prompts',
    description: 'puts questions with other answers into other words',
    run({ task, test, some }) {
      const items = some(20)
      for (const style of task.styles) {
        const asked = new Map<string, Item>()
        for (const item of items) {
          const prompt = JSON.stringify(test.request(item, style))
          const other = asked.get(prompt) ?? item
          asked.set(prompt, other)
          if (task.parsers === undefined || canonicalJson(other.answer) === canonicalJson(item.answer)) continue
          assertThat(
            task.oracle(questionOf(item), other.answer),
            `the prompt of style ${style} is that of item ${other.id} too, whose answer is another (${shown(other.answer)} there, ${shown(item.answer)} here)`,
            item,
          )
        }
        const questions = questionsOf(items)
        assertThat(
          asked.size > 1 || questions.length < SOME,
          `the prompt of style ${style} is the same for ${questions.length} questions`,
          items[1],
        )
      }
    },
  },
  {
    id: 'canonical',
    description: 'tells its questions apart by their canonical form',
    skips: (task) => (task.canonical === undefined ? 'it has no canonical form' : null),
    run({ task, some }) {
      const questions = questionsOf(some(40))
      const forms = questions.map((item) => {
        const form = task.canonical?.(questionOf(item))
        if (typeof form !== 'string')
          throw new ContractError(`canonical gives ${shown(form)}, which is no text`, item.id)
        return form
      })
      assertThat(
        new Set(forms).size > 1 || questions.length < SOME,
        `canonical is ${shown(JSON.stringify(forms[0]))} for each of ${questions.length} questions, which are not the same up to names`,
        questions[1],
      )
    },
  },
]

/** One item of each question. */
const questionsOf = (items: readonly Item[]): readonly Item[] => [
  ...new Map(items.map((item) => [canonicalJson([item.groupHash, item.given] as Json), item])).values(),
]

const isClosed = (task: Task, item: Item): boolean => (task.choices?.(questionOf(item)).length ?? 0) > 0
