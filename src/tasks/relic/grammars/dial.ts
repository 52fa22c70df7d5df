import { z } from 'zod'
import type { Curriculum, Preset } from '../../../core/index.ts'
import { grammar, type Kinds } from './own.ts'

const range = (least: number, most: number) =>
  z
    .strictObject({ low: z.int().min(least).max(most), high: z.int().min(least).max(most) })
    .refine(({ low, high }) => low <= high, 'low must not be above high')

/**
 * The two dials of difficulty: how many rules must be searched, and how much must be put together (load, length). Every
 * task over drawn grammars has these parameters.
 */
export const dial = {
  grammar,
  form: z
    .enum(['cnf', 'greibach', 'regular'])
    .default('cnf')
    .describe(
      'Rules: A -> B C and A -> t (cnf); A -> t, A -> t B and A -> t B C (greibach); without the last (regular)',
    ),
  rules: range(10, 3000)
    .default({ low: 60, high: 400 })
    .describe('Binary rules (cnf), or all rules; each grammar draws its number, evenly on a log scale'),
  load: z
    .number()
    .min(0.05)
    .max(1)
    .default(0.45)
    .describe('Expected symbols per pair of neighbouring tokens; a higher load means more work'),
  tokens: z.int().min(6).max(64).default(16).describe('Distinct tokens'),
  minLength: z.int().min(2).max(100).default(8).describe('Shortest string, in tokens'),
  maxLength: z.int().min(2).max(100).default(20).describe('Longest string, in tokens'),
  perGrammar: z.int().min(1).max(64).default(8).describe('Items of each grammar'),
  workBands: z
    .array(z.int().min(1))
    .min(2)
    .max(9)
    .nullable()
    .default(null)
    .describe('Edges of bands of work, ascending; items are spread evenly over the bands. null: any work'),
}

/** The forms of `recognize` and `parse`, which have one more. */
export const formOrCrossed = z
  .enum(['cnf', 'greibach', 'regular', 'crossed'])
  .default('cnf')
  .describe(
    'Rules: A -> B C and A -> t (cnf); A -> t, A -> t B and A -> t B C (greibach); without the last (regular); rules over pairs of strings (crossed: multiple context-free, fan-out 2)',
  )

export type Dial = z.infer<z.ZodObject<Omit<typeof dial, 'form'> & { readonly form: typeof formOrCrossed }>>

/** Checks over several parameters, shared by the configs of all tasks. */
export const dialChecks = <T extends z.ZodType<Pick<Dial, 'minLength' | 'maxLength' | 'workBands'>>>(schema: T): T =>
  schema
    .refine(({ minLength, maxLength }) => minLength <= maxLength, 'minLength must not be above maxLength')
    .refine(
      ({ workBands }) => workBands === null || workBands.every((edge, k) => k === 0 || edge > (workBands[k - 1] ?? 0)),
      'workBands must ascend',
    )

/** Bands of work as half-open intervals; one without ends where work is not controlled. */
export const bandsOf = ({ workBands }: Pick<Dial, 'workBands'>): readonly (readonly [low: number, high: number])[] =>
  workBands === null
    ? [[0, Number.POSITIVE_INFINITY]]
    : workBands.slice(1).map((high, k) => [workBands[k] as number, high])

export const bandKinds = (config: Pick<Dial, 'workBands'>): Kinds => bandsOf(config).map((_, band) => ({ band }))

/** Rules and work crossed. */
export const workPreset = <C extends { readonly workBands: number[] }>(own: C) => ({
  summary: `Rules and work crossed: 60 to 2,000 rules, ${COUNTS[own.workBands.length - 1]} bands of work in every grammar`,
  config: { rules: { low: 60, high: 2000 }, load: 0.5, minLength: 8, maxLength: 32, ...own },
})

const COUNTS = ['no', 'one', 'two', 'three', 'four'] as const

/** Presets that every task has: NAME-easy, NAME, NAME-hard, NAME-2000, NAME-work. `own`: of all; `work`: of the last alone. */
export const dialPresets = <C extends Dial = Dial>(
  name: string,
  own: Partial<Dial> = {},
  work: Partial<Dial> & { readonly workBands: number[] } = { workBands: [64, 128, 256, 512, 1024] },
): { readonly [preset: string]: Preset<C> } =>
  ({
    [`${name}-easy`]: {
      summary: '40 rules, short strings, little work',
      config: { rules: { low: 40, high: 40 }, load: 0.3, minLength: 6, maxLength: 10, ...own },
    },
    [name]: { summary: '60 to 400 rules, strings of 8 to 20 tokens', config: { ...own } },
    [`${name}-hard`]: {
      summary: '400 to 1,000 rules, strings of 16 to 32 tokens, more work',
      config: { rules: { low: 400, high: 1000 }, load: 0.55, minLength: 16, maxLength: 32, ...own },
    },
    [`${name}-2000`]: {
      summary: '2,000 rules, strings of 32 to 48 tokens',
      config: { rules: { low: 2000, high: 2000 }, load: 0.6, minLength: 32, maxLength: 48, ...own },
    },
    [`${name}-work`]: workPreset({ ...own, ...work }),
  }) as { readonly [preset: string]: Preset<C> }

/** Rules by level: each has about 1.67 times those of the one before. */
const LEVELS = [20, 33, 56, 93, 156, 260, 434, 724, 1210, 2020] as const

/** More rules, longer strings and more work together. `longer`: tokens more at every level. `count`: of at most 10 levels. */
export const dialCurriculum = <C extends Dial = Dial>(
  own: Partial<C> = {},
  longer = 0,
  count: number = LEVELS.length,
): Curriculum<C> => ({
  count,
  grows: 'proof',
  config: (level) => {
    const rules = LEVELS[level] as number
    const dialled: Partial<Dial> = {
      rules: { low: rules, high: rules },
      load: 0.3 + 0.03 * level,
      minLength: 4 + 2 * level + longer,
      maxLength: 6 + 3 * level + longer,
    }
    return { ...(dialled as Partial<C>), ...own }
  },
})
