import type { Grade, Problem } from '../../../../core/task.ts'
import { judge, rulesOf } from '../../judge.ts'
import { type Answer, asked, type Given, type Shared } from '../question.ts'
import { hiddenWorlds, mark, shownCase } from '../truth/oracle.ts'

/**
 * 1 where the answer holds of all eastbound trains and of no other. Parts: `partial`, the share of trains it is right about;
 * `syntax`, whether it is Prolog that defines what was asked for; of generated items `form`, whether it is the one rule that was
 * asked for, and `heldOut`, the share of trains kept back about which it says what the true rule says.
 */
export function grade({ given, answer: truth }: Problem<Shared, Given, Answer>, answer: Answer): Grade {
  const { rules, right, form } = mark(given, answer)
  const all = shownCase(given).labels.length
  const parts: Record<string, number> = { partial: right / all, syntax: rules.kind === 'rules' ? 1 : 0 }
  if (given.kind === 'trains') {
    parts['form'] = form ? 1 : 0
    parts['heldOut'] = 0
    const gold = rulesOf(truth, asked(given))
    if (rules.kind === 'rules' && gold.kind === 'rules') {
      const worlds = hiddenWorlds(given)
      const wanted = judge(gold.clauses, asked(given), worlds)
      const found = judge(rules.clauses, asked(given), worlds)
      parts['heldOut'] = found.filter((one, i) => one === wanted[i]).length / worlds.length
    }
  }
  return { value: form && right === all ? 1 : 0, parts }
}
