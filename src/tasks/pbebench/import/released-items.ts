import type { JsonObject } from '../../../core/index.ts'
import { bfccDag, type Cascade, cascadeCategory, categoryCode, runBounded } from '../../../libraries/rewriting/index.ts'
import { describeCascade, describeShortest, hypotheses } from '../induce/features.ts'
import { describeScrambled } from '../reorder/features.ts'
import { outcomes } from '../reorder/orders.ts'
import { inOrder, isOrder } from '../reorder/types.ts'
import { ALL_LETTERS, LITE_LETTERS } from '../sampling/settings.ts'
import type { Examples } from '../types.ts'
import { fileName, type Read, recordImporter, rulesOf, texts } from './records.ts'

/** Cascades: `adaptive_balanced_*.jsonl` and their prompts files. */
export const importInduce = recordImporter({
  name: 'pbebench-cascades',
  task: 'pbebench/induce',
  describe: 'PBEBench cascades: JSONL or JSON with inputs, outputs, programs',
  wanted: (name) => /cascade|balanced/.test(name) && !name.includes('permutation'),
  agreement: { count: 'categoriesAgree', unless: 'category' },
  read: readCascade,
})

/** Where the released classifier and the definition disagree: of a cascade, and of its ordered pairs of rules. */
function disagreements(rules: Cascade) {
  const [paper, exact] = [bfccDag(rules, 'paper'), bfccDag(rules, 'exact')]
  const more = (label: 'F' | 'B', some: typeof paper, others: typeof paper): number =>
    some.filter(([, labels], k) => labels.includes(label) && others[k]?.[1].includes(label) !== true).length
  return {
    exactCategoryDiffers: Number(cascadeCategory(rules, 'paper') !== cascadeCategory(rules, 'exact')),
    pairs: paper.length,
    falseFeeding: more('F', paper, exact),
    missedFeeding: more('F', exact, paper),
    falseBleeding: more('B', paper, exact),
    missedBleeding: more('B', exact, paper),
  }
}

/** The alphabet a file was made with, and the rules allowed in an answer at least: the small sets use 17 letters, the hard ones 52. */
const settingOf = (name: string): { readonly floor: number; readonly letters: string } =>
  name.includes('hard') ? { floor: 20, letters: ALL_LETTERS } : { floor: 5, letters: LITE_LETTERS }

function readCascade(record: JsonObject, path: string): Read {
  const [inputs, outputs, rules] = [texts(record['inputs']), texts(record['outputs']), rulesOf(record['programs'])]
  if (inputs === null || outputs === null || rules === null || inputs.length !== outputs.length || inputs.length === 0)
    return { problems: [['malformed', 'expected equally long inputs and outputs, and programs']], item: null }
  const problems: [string, string][] = []
  const ran = runBounded(inputs, rules)
  if (ran.kind === 'outgrown' || ran.words.some((word, i) => word !== outputs[i]))
    problems.push(['outputs', 'the programs do not give the outputs'])
  const category = cascadeCategory(rules, 'paper')
  const stored = record['bfcc_category']
  if (typeof stored === 'string' && stored !== categoryCode(category))
    problems.push(['category', `stored ${stored}, found ${categoryCode(category)}`])
  const { floor, letters } = settingOf(fileName(path))
  const limit = Math.max(floor, rules.length)
  const given: Examples = { inputs, outputs, limits: { rules: limit, side: 3, letters, count: 'code-points' } }
  return {
    problems,
    counts: disagreements(rules),
    item: {
      given,
      answer: rules,
      features: {
        ...describeCascade({ inputs, outputs, rules }, category, 'paper', letters.length),
        ...describeShortest(given, rules),
        limit,
        slack: limit - rules.length,
        hypotheses: hypotheses(letters.length, [1, 3], false, rules.length),
      },
    },
  }
}

/** Scrambled cascades: `*_permutation_promptsfile.jsonl`. */
export const importReorder = recordImporter({
  name: 'pbebench-perm',
  task: 'pbebench/reorder',
  describe: 'PBEBench permutations: JSONL with inputs, outputs, permuted_programs, ground_truth_order',
  wanted: (name) => name.includes('permutation'),
  agreement: { count: 'validOrdersAgree', unless: 'orders' },
  read: readScrambled,
})

function readScrambled(record: JsonObject): Read {
  const [inputs, outputs, rules] = [
    texts(record['inputs']),
    texts(record['outputs']),
    rulesOf(record['permuted_programs']),
  ]
  const order = Array.isArray(record['ground_truth_order']) ? (record['ground_truth_order'] as readonly number[]) : null
  if (inputs === null || outputs === null || rules === null || order === null)
    return {
      problems: [['malformed', 'expected inputs, outputs, permuted_programs and ground_truth_order']],
      item: null,
    }
  if (!isOrder(order, rules.length))
    return { problems: [['order', 'ground_truth_order is not an order of the programs']], item: null }
  const problems: [string, string][] = []
  const category = cascadeCategory(inOrder(rules, order), 'paper')
  const features = describeScrambled(
    { inputs, outputs, rules },
    order,
    outcomes(inputs, rules),
    'planted',
    'paper',
    LITE_LETTERS.length,
  )
  const { num_valid_solutions: count, bfcc_category: code } = record
  const valid = features['validOrders']
  if (typeof count === 'number' && valid !== null && count !== valid)
    problems.push(['orders', `stored ${count} valid orders, counted ${valid}`])
  if (typeof code === 'string' && code !== categoryCode(category))
    problems.push(['category', `stored ${code}, found ${categoryCode(category)}`])
  return { problems, item: { given: { inputs, outputs, rules }, answer: { order }, features } }
}
