import { canonicalJson, type Item, type Json, type Task } from '../core/index.ts'
import { assertThat, ContractError, type ContractTest, shorten } from './contract-test.ts'
import { questionOf } from './subject.ts'

/** Fewer questions may be all alike by chance. */
const MIN_QUESTIONS = 8

/** Tests of items against one another. */
export const partitionTests: readonly ContractTest[] = [
  {
    id: 'labels',
    description: 'draws every item with the label of its slot',
    run({ task, test, some }) {
      const { label, strata } = test.layout
      if (label === undefined) return
      const items = some(40)
      const levelOf = ({ stratum }: Item): string => String(strata[stratum]?.[label])
      for (const item of items) {
        const feature = item.features[label]
        assertThat(
          feature === undefined || String(feature) === levelOf(item),
          `its slot has the ${label} ${levelOf(item)}, its feature ${label} is ${shorten(feature)}`,
          item,
        )
      }
      const levels = new Set(items.map(levelOf))
      const answers = new Map(items.map((item) => [canonicalJson(item.answer), item]))
      const [first] = items
      if (levels.size < 2 || first === undefined) return
      assertThat(
        answers.size > 1,
        `items of the labels ${[...levels].join(', ')} all have the answer ${shorten(first.answer)}: draw must use at.levels["${label}"]`,
        items.find((item) => levelOf(item) !== levelOf(first)),
      )
      // No more closed answers than labels: then each label stands for one answer.
      if (answers.size > levels.size || items.length < MIN_QUESTIONS || !items.every((item) => isClosed(task, item)))
        return
      const answerOf = new Map(items.toReversed().map((item) => [levelOf(item), canonicalJson(item.answer)]))
      for (const item of items)
        assertThat(
          canonicalJson(item.answer) === answerOf.get(levelOf(item)),
          `its answer is ${shorten(item.answer)}, another item with the label ${levelOf(item)} has ${answerOf.get(levelOf(item))}`,
          item,
        )
    },
  },
  {
    id: 'prompts',
    description: 'has different prompts for questions with different answers',
    run({ task, test, some }) {
      const items = some(20)
      for (const style of task.styles) {
        const byPrompt = new Map<string, Item>()
        for (const item of items) {
          const prompt = JSON.stringify(test.request(item, style))
          const other = byPrompt.get(prompt) ?? item
          byPrompt.set(prompt, other)
          if (task.parsers === undefined || canonicalJson(other.answer) === canonicalJson(item.answer)) continue
          assertThat(
            task.oracle(questionOf(item), other.answer),
            `item ${other.id} has the same prompt of style ${style}, but the answer ${shorten(other.answer)} instead of ${shorten(item.answer)}`,
            item,
          )
        }
        const questions = questionsOf(items)
        assertThat(
          byPrompt.size > 1 || questions.length < MIN_QUESTIONS,
          `the prompt of style ${style} is the same for ${questions.length} questions`,
          items[1],
        )
      }
    },
  },
  {
    id: 'canonical',
    description: 'has different canonical forms for different questions',
    skips: (task) => (task.canonical === undefined ? 'it has no canonical form' : null),
    run({ task, some }) {
      const questions = questionsOf(some(40))
      const forms = questions.map((item) => {
        const form = task.canonical?.(questionOf(item))
        if (typeof form !== 'string')
          throw new ContractError(`canonical: expected a text, got ${shorten(form)}`, item.id)
        return form
      })
      assertThat(
        new Set(forms).size > 1 || questions.length < MIN_QUESTIONS,
        `canonical is ${shorten(JSON.stringify(forms[0]))} for ${questions.length} questions that differ in more than names`,
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
