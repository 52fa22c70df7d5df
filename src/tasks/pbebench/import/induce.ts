import { bfccDag, type Cascade, cascadeCategory, categoryCode, runBounded } from '../../../libraries/rewriting/index.ts'
import { describeCascade, describeShortest, hypotheses } from '../induce/features.ts'
import { ALL_LETTERS, LITE_LETTERS } from '../sampling/settings.ts'
import type { Examples } from '../types.ts'
import { rulesOf, texts } from './fields.ts'
import { type Read, recordImporter } from './importer.ts'
import { fileName, type PublishedRecord } from './records.ts'

/** Cascades: `adaptive_balanced_*.jsonl` and their prompts files. */
export const importInduce = recordImporter({
  name: 'pbebench-cascades',
  task: 'pbebench/induce',
  describe: 'PBEBench cascades: JSONL or JSON with inputs, outputs, programs',
  wanted: (name) => /cascade|balanced/.test(name) && !name.includes('permutation'),
  agreement: { count: 'categoriesAgree', unless: 'category' },
  read,
})

function read(record: PublishedRecord, path: string): Read {
  const [inputs, outputs, rules] = [texts(record.inputs), texts(record.outputs), rulesOf(record.programs)]
  if (inputs === null || outputs === null || rules === null || inputs.length !== outputs.length || inputs.length === 0)
    return { problems: [['malformed', 'expected equally long inputs and outputs, and programs']], item: null }
  const problems: [string, string][] = []
  const ran = runBounded(inputs, rules)
  if (ran.kind === 'outgrown' || ran.words.some((word, i) => word !== outputs[i]))
    problems.push(['outputs', 'the programs do not give the outputs'])
  const category = cascadeCategory(rules, 'paper')
  const stored = record.bfcc_category
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
