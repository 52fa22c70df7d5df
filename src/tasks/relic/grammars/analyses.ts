import {
  type Analysis,
  column,
  type Estimate,
  type Frame,
  figure,
  heatMarks,
  marksBy,
  memoizeWeak,
  optional,
  table,
} from '../../../core/index.ts'
import {
  allRows,
  analysisStream,
  bySystem,
  clusterBootstrap,
  correctness,
  design,
  holm,
  linear,
  logistic,
  mcnemarOf,
  mean,
  meanOrNull,
  median,
  scores,
  systems,
} from '../../../libraries/statistics/index.ts'
import { quittingPoint } from './analyses-effort.ts'

const { text, number, share, estimate } = column
const NEEDS = ['task', 'model', 'status', 'score', 'group', 'item']
const arm = [text('task', 'Task'), text('model', 'Model')]
const DRAWS = 500

/** A response with what its item asks: rules to find, and the items of a chart to write down. */
interface Asked {
  readonly row: number
  readonly group: number
  readonly item: number
  readonly right: number
  readonly rules: number
  readonly work: number
  /** Tokens, of baselines steps; NaN where neither is known. */
  readonly tokens: number
}

interface Arm {
  readonly task: string
  readonly model: string
  readonly asked: readonly Asked[]
}

/** The column of that name, else the other, where rows have it. */
function either(frame: Frame, name: string, other: string): Float64Array {
  const of = (one: string) => (frame.has(one) ? frame.number(one) : new Float64Array(frame.length).fill(Number.NaN))
  const [first, second] = [of(name), of(other)]
  return first.map((value, row) => (Number.isNaN(value) ? (second[row] as number) : value))
}

/** Responses of each model to each task of the family, to items whose rules and work are known. */
const armsOf: (frame: Frame) => readonly Arm[] = memoizeWeak((frame) => {
  const right = correctness(scores(frame))
  const work = either(frame, 'feature_work', 'feature_entries')
  const known = either(frame, 'feature_rules', 'feature_nonlexical')
  // Items of recognize count binary and lexical rules apart, the others all rules.
  const lexical = either(frame, 'feature_rules', 'feature_lexical')
  const rules = known.map((count, row) => (count === lexical[row] ? count : count + (lexical[row] as number)))
  const tokens = either(frame, 'output_tokens', 'steps')
  const [tasks, groups, items] = [frame.category('task'), frame.category('group'), frame.category('item')]
  return tasks.levels.flatMap((task, code) =>
    bySystem(systems(frame), allRows(frame)).flatMap(({ contestant: model, rows }) => {
      const asked = Array.from(rows, (row) => ({
        row,
        group: groups.codes[row] as number,
        item: items.codes[row] as number,
        right: right[row] as number,
        rules: rules[row] as number,
        work: work[row] as number,
        tokens: tokens[row] as number,
      })).filter((one) => tasks.codes[one.row] === code && !Number.isNaN(one.right) && one.work > 0 && one.rules > 0)
      return asked.length === 0 || !task.startsWith('relic/') ? [] : [{ task, model, asked }]
    }),
  )
})

const inGroups = (asked: readonly Asked[]): readonly (readonly Asked[])[] => [
  ...Map.groupBy(asked, ({ group }) => group).values(),
]

/** Edges of bands of rules and work: doublings, and of work four times. */
const bandOf = (value: number, base: number): { readonly at: number; readonly name: string } => {
  const at = Math.floor(Math.log(value) / Math.log(base))
  return { at, name: `${base ** at}–${base ** (at + 1) - 1}` }
}
const cellOf = ({ rules, work }: Asked): string => `${bandOf(rules, 4).at} ${bandOf(work, 2).at}`

/** Numbers of rules at which the table gives the work with even odds of a correct answer. */
const AT_RULES = [100, 1000] as const

/** Which dial hurts: the surface of accuracy over rules to find and work to do. */
const surface: Analysis = {
  id: 'relic/surface',
  title: 'Rules to find against work to do',
  notes: [
    'Log odds: change of the log odds of a correct answer when rules (retrieval) or work (composition) double; both in one logistic model. Intervals count grammars as independent.',
    'Work at even odds: where that model gives one half, within the work that was asked.',
  ],
  needs: NEEDS,
  run(frame) {
    const arms = armsOf(frame).map((one) => ({ ...one, fit: logOdds(one.asked) }))
    const slopes = table(
      'relic/dials',
      'What rules and work cost',
      [
        ...arm,
        number('n', 'Responses'),
        optional(estimate('rules', 'Log odds, rules doubled', null)),
        optional(estimate('work', 'Log odds, work doubled', null)),
        ...AT_RULES.map((rules) => optional(number(`at${rules}`, `Work at even odds, ${rules} rules`, 'items'))),
      ],
      arms.map(({ task, model, asked, fit }) => ({
        task,
        model,
        n: asked.length,
        rules: fit?.rules ?? null,
        work: fit?.work ?? null,
        ...Object.fromEntries(AT_RULES.map((rules) => [`at${rules}`, fit?.evenAt(rules) ?? null])),
      })),
    )
    const several = new Set(arms.map(({ task }) => task)).size > 1
    const cells = table(
      'relic/surface',
      'Accuracy by rules and work',
      [
        ...arm,
        text('panel', 'Panel'),
        text('rules', 'Rules'),
        text('work', 'Work'),
        number('n', 'Responses'),
        share('accuracy', 'Accuracy'),
      ],
      arms
        .filter(({ fit }) => fit !== null)
        .flatMap(({ task, model, asked }) =>
          [...Map.groupBy(asked, cellOf).values()].map((inside) => ({ task, model, inside })),
        )
        .toSorted((a, b) => a.inside[0]!.rules - b.inside[0]!.rules)
        .toSorted((a, b) => bandOf(a.inside[0]!.work, 2).at - bandOf(b.inside[0]!.work, 2).at)
        .map(({ task, model, inside }) => ({
          task,
          model,
          panel: several ? `${task.slice('relic/'.length)}, ${model}` : model,
          rules: bandOf(inside[0]!.rules, 4).name,
          work: bandOf(inside[0]!.work, 2).name,
          n: inside.length,
          accuracy: mean(inside.map(({ right }) => right)),
        })),
    )
    const contour = table(
      'relic/contour',
      'Work at which a model is as often right as wrong',
      [...arm, number('rules', 'Rules'), number('work', 'Work at even odds', 'items')],
      arms.flatMap(({ task, model, asked, fit }) => {
        const [least, most] = endsOf(asked.map(({ rules }) => rules))
        return Array.from({ length: 9 }, (_, k) => least * (most / least) ** (k / 8)).flatMap((rules) => {
          const work = fit?.evenAt(rules) ?? null
          return work === null || most <= least ? [] : [{ task, model, rules: Math.round(rules), work }]
        })
      }),
    )
    const log = (key: string) => ({ key, scale: 'log' }) as const
    return {
      tables: [slopes, cells, contour],
      figures: [
        figure(contour, { x: log('rules'), y: log('work'), facet: 'task', marks: marksBy('model', 'line') }),
        figure(cells, {
          x: { key: 'work', scale: 'category' },
          y: { key: 'rules', scale: 'category' },
          facet: 'panel',
          marks: heatMarks('accuracy'),
        }),
      ],
    }
  },
}

/** Of as many numbers as a release has responses: a call takes no such number of arguments. */
const endsOf = (values: readonly number[]): readonly [least: number, most: number] => {
  const sorted = Float64Array.from(values).sort()
  return [sorted[0]!, sorted.at(-1)!]
}

function logOdds(asked: readonly Asked[]) {
  const varies = new Set(asked.map(({ rules }) => rules)).size > 1
  const values = (of: (one: Asked) => number) =>
    ({ kind: 'numeric', values: asked.map((one) => Math.log2(of(one))) }) as const
  const variables = { work: values(({ work }) => work), rules: values(({ rules }) => rules) }
  const fit = logistic(
    design(variables, varies ? [['work'], ['rules']] : [['work']]),
    asked.map(({ right }) => right),
    { clusters: Int32Array.from(asked, ({ group }) => group) },
  )
  if (fit.kind === 'unfit') return null
  const one = (name: string): Estimate | null => {
    const found = fit.coefficients.find((coefficient) => coefficient.name === name)
    if (found === undefined) return null
    const { estimate: value, low, high } = found
    return { value, low, high, n: fit.n, method: `logistic regression, ${fit.errors}` }
  }
  const [rules, work] = [one('rules'), one('work')]
  const [least, most] = endsOf(asked.map((item) => item.work))
  const evenAt = (count: number): number | null => {
    const even =
      2 ** (-((fit.coefficients[0]?.estimate ?? 0) + (rules?.value ?? 0) * Math.log2(count)) / (work?.value ?? 0))
    return even >= least && even <= most ? Math.round(even) : null
  }
  return { rules, work, evenAt }
}

/** Bins of work that are drawn. */
const BINS = 8
const MIN_ITEMS = 40

/** Tokens against exact work: does effort follow it, and where does it stop? */
const effort: Analysis = {
  id: 'relic/effort',
  title: 'Effort against the exact work of an item',
  question: 'cost',
  notes: [
    'Exponent b of tokens = a work^b: 1 for a reader who writes every item of the chart. Effort: tokens, of baselines steps; capped responses count as they are.',
    'Quits: effort rises up to a knot and not beyond it (95 % by bootstrap over grammars).',
  ],
  needs: NEEDS,
  run(frame, { seed }) {
    const status = frame.category('status')
    const truncated = status.levels.indexOf('truncated')
    const arms = armsOf(frame).flatMap(({ asked, ...key }) => {
      const spent = asked.filter(({ tokens }) => tokens > 0)
      return spent.length < MIN_ITEMS || new Set(spent.map(({ work }) => work)).size < 4 ? [] : [{ key, spent }]
    })
    const growth = table(
      'relic/effort',
      'Growth of effort with work',
      [
        ...arm,
        number('n', 'Responses'),
        estimate('exponent', 'Exponent of work', null),
        text('quits', 'Quits'),
        estimate('at', 'At work', null),
        estimate('before', 'Exponent before', null),
        estimate('after', 'Exponent beyond', null),
        share('truncated', 'Truncated'),
        share('accuracy', 'Accuracy'),
      ],
      arms.map(({ key, spent }) => ({
        ...key,
        n: spent.length,
        exponent: exponentOf(spent),
        ...quittingPoint(
          inGroups(spent).map((inside) => inside.map(({ work, tokens }) => ({ logWork: Math.log1p(work), tokens }))),
          seed,
          `${key.task} ${key.model}`,
        ),
        truncated: mean(spent.map(({ row }) => Number(status.codes[row] === truncated))),
        accuracy: mean(spent.map(({ right }) => right)),
      })),
    )
    const bins = table(
      'relic/effort-by-work',
      'Effort and accuracy by work',
      [
        ...arm,
        number('work', 'Work', 'items'),
        number('tokens', 'Tokens (median)'),
        share('accuracy', 'Accuracy'),
        share('truncated', 'Truncated'),
      ],
      arms.flatMap(({ key, spent }) => {
        const sorted = spent.toSorted((a, b) => a.work - b.work)
        return Array.from({ length: BINS }, (_, bin) => {
          const inside = sorted.slice((bin * sorted.length) / BINS, ((bin + 1) * sorted.length) / BINS)
          return {
            ...key,
            work: median(inside.map(({ work }) => work)),
            tokens: median(inside.map(({ tokens }) => tokens)),
            accuracy: mean(inside.map(({ right }) => right)),
            truncated: mean(inside.map(({ row }) => Number(status.codes[row] === truncated))),
          }
        })
      }),
    )
    const over = { x: { key: 'work', scale: 'log' }, facet: 'task', marks: marksBy('model', 'line', 'point') } as const
    return {
      tables: [growth, bins],
      figures: [
        figure(bins, { id: 'relic/effort', title: 'Tokens by work', y: { key: 'tokens', scale: 'log' }, ...over }),
        figure(bins, { id: 'relic/accuracy-by-work', title: 'Accuracy by work', y: 'accuracy', ...over }),
      ],
    }
  },
}

function exponentOf(asked: readonly Asked[]): Estimate | null {
  const work = asked.map((one) => Math.log(one.work))
  const fit = linear(
    design({ work: { kind: 'numeric', values: work } }, [['work']]),
    asked.map(({ tokens }) => Math.log(tokens)),
    { clusters: Int32Array.from(asked, ({ group }) => group) },
  )
  const slope = fit.kind === 'unfit' ? undefined : fit.coefficients[1]
  if (slope === undefined) return null
  const { estimate: value, low, high } = slope
  return { value, low, high, n: asked.length, method: 'least squares over grammars' }
}

/** Subscores that say how far a wrong answer is right, from 0 to 1. */
const PLACES = ['subscore_nodes', 'subscore_prefix'] as const
const STEPS = Array.from({ length: 11 }, (_, k) => k / 10)

/** Where wrong answers go wrong. */
const firstError: Analysis = {
  id: 'relic/first-error',
  title: 'Where wrong answers go wrong',
  notes: [
    'Of parsed wrong answers. First error: share of the answer before it (parse: nodes of the tree in preorder; fill: blanks; translate: words), 0 at the beginning.',
    'next: tokens missed and added, as shares of the set and of the answer. repair: answers outside the language, or in it with too many edits. count: zero and non-zero confused.',
  ],
  needs: NEEDS,
  run(frame) {
    const { codes, levels } = frame.category('status')
    const graded = levels.indexOf('graded')
    const part = (name: string) => (frame.has(name) ? frame.number(name) : null)
    const arms = armsOf(frame).flatMap(({ asked, ...key }) => {
      const wrong = asked.filter(({ row, right }) => right === 0 && codes[row] === graded)
      return wrong.length === 0 ? [] : [{ key, wrong }]
    })
    const valuesOf = (wrong: readonly Asked[], name: string): readonly number[] => {
      const values = part(name)
      return values === null
        ? []
        : wrong.map(({ row }) => values[row] as number).filter((value) => !Number.isNaN(value))
    }
    const placesOf = (wrong: readonly Asked[]) => PLACES.flatMap((name) => valuesOf(wrong, name))
    const kinds = table(
      'relic/first-error',
      'Wrong answers by kind',
      [
        ...arm,
        number('wrong', 'Wrong answers'),
        optional(share('first', 'First error (median)')),
        optional(share('atOnce', 'Wrong from the beginning')),
        optional(share('missed', 'Missed')),
        optional(share('added', 'Added')),
        optional(share('outside', 'Outside the language')),
        optional(share('tooFar', 'Too many edits')),
        optional(share('sign', 'Zero confused')),
      ],
      arms.map(({ key, wrong }) => {
        const places = placesOf(wrong)
        const member = meanOrNull(valuesOf(wrong, 'subscore_member'))
        const sign = meanOrNull(valuesOf(wrong, 'subscore_sign'))
        return {
          ...key,
          wrong: wrong.length,
          first: median(places),
          atOnce: meanOrNull(places.map((place) => Number(place === 0))),
          missed: meanOrNull(valuesOf(wrong, 'subscore_missed')),
          added: meanOrNull(valuesOf(wrong, 'subscore_added')),
          outside: member === null ? null : 1 - member,
          tooFar: member,
          sign: sign === null ? null : 1 - sign,
        }
      }),
    )
    const kept = table(
      'relic/right-so-far',
      'Wrong answers that are right up to a place',
      [...arm, share('place', 'Place in the answer'), share('right', 'Right so far')],
      arms.flatMap(({ key, wrong }) => {
        const places = placesOf(wrong)
        return places.length === 0
          ? []
          : STEPS.map((place) => ({ ...key, place, right: mean(places.map((first) => Number(first >= place))) }))
      }),
    )
    return {
      tables: [kinds, kept],
      figures: [figure(kept, { x: 'place', y: 'right', facet: 'task', marks: marksBy('model', 'line') })],
    }
  },
}

/** Cells common to all sets. Where there are none, the set that shares fewest with the others is dropped, again and again. */
function sharedCells(sets: readonly ReadonlySet<string>[]): readonly string[] {
  const shared = [...(sets[0] ?? [])].filter((cell) => sets.every((own) => own.has(cell)))
  if (shared.length > 0 || sets.length < 3) return shared
  const common = (own: ReadonlySet<string>): number =>
    sets.reduce((total, other) => total + (other === own ? 0 : [...own].filter((cell) => other.has(cell)).length), 0)
  const least = sets.toSorted((a, b) => common(a) - common(b))[0]
  return sharedCells(sets.filter((own) => own !== least))
}

/** Accuracies of sets of responses at equal rules and work: mean over shared cells, each weighing the same. */
function atEqualWork(sets: readonly { readonly name: string; readonly asked: readonly Asked[] }[], seed: number) {
  const cells = sharedCells(sets.map(({ asked }) => new Set(asked.map(cellOf))))
  return sets.map(({ name, asked }) => {
    const own = new Set(asked.map(cellOf))
    const shared = cells.every((cell) => own.has(cell)) ? cells : []
    const groups = inGroups(asked)
    const byCell = shared.map((cell) =>
      groups.map((inside) => inside.filter((one) => cellOf(one) === cell).map(({ right }) => right)),
    )
    const over = (counts: ArrayLike<number>): number | null =>
      meanOrNull(
        byCell.flatMap((own) => {
          let [n, right] = [0, 0]
          for (const [g, values] of own.entries())
            for (const value of values) [n, right] = [n + counts[g]!, right + counts[g]! * value]
          return n === 0 ? [] : [right / n]
        }),
      )
    const equal = clusterBootstrap(groups.length, asked.length, over, {
      stream: analysisStream(seed, `relic/at-equal-work/${name}`),
      draws: DRAWS,
    })
    return { name, n: asked.length, cells: shared.length, accuracy: mean(asked.map(({ right }) => right)), equal }
  })
}

const EQUAL =
  'At equal rules and work: mean of the accuracies in the bands of rules (four times) and work (doublings) that all have; what shares none with the others has no such accuracy. Intervals by bootstrap over grammars.'
const equalColumns = [
  number('n', 'Responses'),
  share('accuracy', 'Accuracy'),
  number('cells', 'Shared bands'),
  estimate('equal', 'Accuracy at equal rules and work'),
]

/** The tasks side by side: who parses, who only recognises, who can write but not read. */
const six: Analysis = {
  id: 'relic/side-by-side',
  title: 'The tasks at equal rules and work',
  notes: [EQUAL],
  needs: NEEDS,
  run(frame, { seed }) {
    const rows = [...Map.groupBy(armsOf(frame), ({ model }) => model)].flatMap(([model, arms]) =>
      arms.length < 2
        ? []
        : atEqualWork(
            arms.map(({ task, asked }) => ({ name: task, asked })),
            seed,
          ).map(({ name: task, ...found }) => ({ task, model, ...found })),
    )
    const found = table('relic/side-by-side', 'Tasks at equal rules and work', [...arm, ...equalColumns], rows)
    return {
      tables: [found],
      figures: [
        figure(found, {
          x: { key: 'task', scale: 'category' },
          y: 'equal',
          marks: marksBy('model', 'interval', 'point'),
        }),
      ],
    }
  },
}

/** Class of the grammar against work, which differ together where classes are compared as they come. */
const forms: Analysis = {
  id: 'relic/forms',
  title: 'Forms of grammars at equal rules and work',
  notes: [EQUAL],
  needs: [...NEEDS, 'feature_form'],
  run(frame, { seed }) {
    const { codes, levels } = frame.category('feature_form')
    const rows = armsOf(frame).flatMap(({ asked, ...key }) => {
      const sets = [...Map.groupBy(asked, ({ row }) => levels[codes[row] as number] ?? 'none')]
      return sets.length < 2
        ? []
        : atEqualWork(
            sets.map(([name, own]) => ({ name, asked: own })),
            seed,
          ).map(({ name: form, ...found }) => ({ ...key, form, ...found }))
    })
    const found = table(
      'relic/forms',
      'Forms at equal rules and work',
      [...arm, text('form', 'Form'), ...equalColumns],
      rows,
    )
    return {
      tables: [found],
      figures: [
        figure(found, {
          x: { key: 'form', scale: 'category' },
          y: 'equal',
          facet: 'task',
          marks: marksBy('model', 'interval', 'point'),
        }),
      ],
    }
  },
}

/** The same items with other names, orders and notations. */
const presentation: Analysis = {
  id: 'relic/presentation',
  title: 'The same items presented differently',
  question: 'comparison',
  notes: [
    'Difference in accuracy to the first style on the items that both show, by bootstrap over grammars. McNemar: exact, over items; Holm: over all contrasts of the table.',
  ],
  needs: [...NEEDS, 'style'],
  run(frame, { seed }) {
    const { codes, levels } = frame.category('style')
    const contrasts = armsOf(frame).flatMap(({ asked, ...key }) => {
      const [base, ...others] = levels.map(
        (_, code) => new Map(asked.filter(({ row }) => codes[row] === code).map((one) => [one.item, one])),
      )
      return others.flatMap((other, k) => {
        const pairs = [...other.values()].flatMap((one) => {
          const first = base!.get(one.item)
          return first === undefined ? [] : [{ one, first }]
        })
        const groups = [...Map.groupBy(pairs, ({ one }) => one.group).values()].map((inside) => ({
          n: inside.length,
          sum: inside.reduce((total, { one, first }) => total + one.right - first.right, 0),
        }))
        const difference = clusterBootstrap(
          groups.length,
          pairs.length,
          (counts) => {
            const total = (of: 'n' | 'sum') => groups.reduce((all, group, g) => all + counts[g]! * group[of], 0)
            return total('n') === 0 ? null : total('sum') / total('n')
          },
          { stream: analysisStream(seed, `relic/presentation/${key.task} ${key.model} ${k}`), draws: DRAWS },
        )
        const { onlyA, onlyB, exact } = mcnemarOf(
          pairs.map(({ one }) => one.right),
          pairs.map(({ first }) => first.right),
        )
        const style = levels[k + 1] as string
        return pairs.length === 0
          ? []
          : [{ ...key, style, base: levels[0] as string, n: pairs.length, difference, onlyA, onlyB, exact }]
      })
    })
    const adjusted = holm(contrasts.map(({ exact }) => exact))
    const found = table(
      'relic/presentation',
      'Styles on the same items',
      [
        ...arm,
        text('style', 'Style'),
        text('base', 'Compared with'),
        number('n', 'Items'),
        estimate('difference', 'Difference'),
        number('onlyA', 'Only this style right'),
        number('onlyB', 'Only the other right'),
        number('exact', 'p (McNemar)'),
        number('holm', 'p (Holm)'),
      ],
      contrasts.map((one, k) => ({ ...one, holm: adjusted[k] as number })),
    )
    return {
      tables: [found],
      figures: [
        figure(found, {
          x: { key: 'style', scale: 'category' },
          y: 'difference',
          facet: 'task',
          marks: marksBy('model', 'interval', 'point'),
        }),
      ],
    }
  },
}

/** Analyses of all tasks of the family together. */
export const familyAnalyses: readonly Analysis[] = [surface, effort, firstError, six, presentation, forms].map(
  (analysis) => ({ ...analysis, acrossTasks: true }),
)
