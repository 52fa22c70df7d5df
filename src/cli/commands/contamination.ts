import { buildCommand } from '@stricli/core'
import type { FoundContamination } from '../../lab/index.ts'
import type { KeyReport } from '../../report/index.ts'
import type { Context } from '../context.ts'
import { labOf } from '../lab.ts'
import { aligned, print, printJson } from '../output.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly model: string
  readonly before: readonly string[]
  readonly stratum?: readonly string[]
  readonly key?: string
  readonly parser: string
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const contamination = buildCommand<Flags, [string, string], Context>({
  docs: {
    brief: 'Is a model better on published items than fresh twins of them explain?',
    fullDescription:
      'Difference in differences: (published - fresh) of the model, minus the same of models released before the items ' +
      'were published; by stratum, clustered by group. Both runs hold responses of all the models. ' +
      'With --key also: does the model give the very answers that were published, of several right ones, oftener than chance?',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        { brief: 'A run over the published items', parse: text, placeholder: 'published' },
        { brief: 'A run over fresh items of the same distribution', parse: text, placeholder: 'fresh' },
      ],
    },
    flags: {
      model: { kind: 'parsed', parse: text, brief: 'The model in question' },
      before: {
        kind: 'parsed',
        parse: text,
        variadic: true,
        brief: 'A model released before publication (repeatable)',
      },
      stratum: {
        kind: 'parsed',
        parse: text,
        variadic: true,
        optional: true,
        brief: 'A column of the rows to compare within, such as feature_length (repeatable; always within tasks)',
      },
      key: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'The published key: JSON lines {"item", "answer", "right": how many answers are right}',
      },
      parser: { kind: 'parsed', parse: text, default: 'strict', brief: 'The parser whose readings count' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func({ model, before, stratum: strata = [], key, parser, json, plugin = [] }, published, fresh) {
    const lab = await labOf({ plugin })
    const asked = { model, before, strata, parser, ...(key === undefined ? {} : { key }) }
    const found = await lab.contamination(published, fresh, asked)
    if (json) return printJson(this, found)
    print(this, ...described(found), ...(found.key === undefined ? [] : describedKey(model, found.key)))
  },
})

function described({ model, before, result, placebos, incomplete }: FoundContamination): string[] {
  const { estimate, p, groups, strata, leftOut } = result
  const head = [['stratum', 'published', 'fresh', 'gap']]
  return [
    `${model}, beyond ${before.join(', ')}: ${signed(estimate.value)} on published items`,
    `  95 % interval ${signed(estimate.low)} to ${signed(estimate.high)}, one-sided p ${p.toFixed(4)}`,
    `  ${estimate.n} items, ${groups.published} published and ${groups.fresh} fresh groups`,
    ...(incomplete > 0 ? [`  ${incomplete} items left out: not all of the models have an outcome there`] : []),
    ...(leftOut.length > 0 ? [`  strata left out, without two groups on both sides: ${leftOut.join('; ')}`] : []),
    ...aligned(
      [...head, ...strata.map((one) => [one.stratum, String(one.published), String(one.fresh), signed(one.gap)])],
      [1, 2, 3],
    ),
    ...placebos.flatMap(({ model: name, result: other }) =>
      other === null
        ? []
        : [`${name} against the other references: ${signed(other.estimate.value)}, p ${other.p.toFixed(4)}`],
    ),
  ]
}

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(3)}`

const describedKey = (model: string, { items, matches, expected, p, missing }: KeyReport): string[] => [
  `${model} gave the published answer to ${matches} of ${items} items; about ${expected.toFixed(1)} at most without the key`,
  `  probability of so many without having seen it: ${p < 1e-4 ? p.toExponential(1) : p.toFixed(4)}`,
  ...(missing > 0 ? [`  ${missing} lines of the key left out: no answer of ${model} to these items`] : []),
]
