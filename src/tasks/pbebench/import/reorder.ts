import { cascadeCategory, categoryCode } from '../../../libraries/rewriting/index.ts'
import { describeScrambled } from '../reorder/features.ts'
import { outcomes } from '../reorder/orders/reachable.ts'
import { inOrder, isOrder } from '../reorder/types.ts'
import { LITE_LETTERS } from '../sampling/settings.ts'
import { rulesOf, texts } from './fields.ts'
import { type Read, recordImporter } from './importer.ts'
import type { PublishedRecord } from './records.ts'

/** Scrambled cascades: `*_permutation_promptsfile.jsonl`. */
export const importReorder = recordImporter({
  name: 'pbebench-perm',
  task: 'pbebench/reorder',
  describe: 'PBEBench permutations: JSONL with inputs, outputs, permuted_programs, ground_truth_order',
  wanted: (name) => name.includes('permutation'),
  agreement: { count: 'validOrdersAgree', unless: 'orders' },
  read,
})

function read(record: PublishedRecord): Read {
  const [inputs, outputs, rules] = [texts(record.inputs), texts(record.outputs), rulesOf(record.permuted_programs)]
  const order = Array.isArray(record.ground_truth_order) ? (record.ground_truth_order as readonly number[]) : null
  if (inputs === null || outputs === null || rules === null || order === null)
    return {
      problems: [['malformed', 'expected inputs, outputs, permuted_programs and ground_truth_order']],
      item: null,
    }
  if (!isOrder(order, rules.length))
    return { problems: [['order', 'ground_truth_order is no order of the programs']], item: null }
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
