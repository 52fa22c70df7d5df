// What a page of somebody imports: bundled for the browser by the test.

import { cfgOf, printRelicGrammar, randomGrammar } from '@touchstone-eval/touchstone/grammars'
import { lenientChoice } from '@touchstone-eval/touchstone/parsers'
import { replaceAll } from '@touchstone-eval/touchstone/rewriting'
import { wilson } from '@touchstone-eval/touchstone/statistics'
import { itemsRoot, namedStream } from '@touchstone-eval/touchstone/task'
import { families } from '@touchstone-eval/touchstone/tasks'

/** The root of a prefix of the first preset of every task, by its name. */
function roots(count: number): { readonly [task: string]: string } {
  const out: { [task: string]: string } = {}
  for (const task of families.flatMap(({ tasks }) => tasks)) {
    const [preset] = Object.keys(task.presets)
    if (preset === undefined) continue
    const source = task.source(task.preset(preset).config, { split: 'test', seed: '1' })
    out[task.name] = itemsRoot(source, Math.min(count, source.layout.size ?? count))
  }
  return out
}

/** One result of each of the libraries. */
function sample(): readonly unknown[] {
  const grammar = randomGrammar(namedStream('bundle'), { terminals: 6, nonterminals: 6, lexical: 20, binary: 20 })
  return [
    lenientChoice('Answer: Yes', ['Yes', 'No']),
    grammar === null ? null : [printRelicGrammar(grammar), cfgOf(grammar).rules.length],
    replaceAll('banana', ['an', 'o']),
    wilson(7, 10),
  ]
}

export { roots, sample }
