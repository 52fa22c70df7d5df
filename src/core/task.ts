import type { z } from 'zod'
import type { Analysis } from './analysis.ts'
import type { CheckedSteps } from './checked-steps.ts'
import type { Exporter, RunExporter } from './exporter.ts'
import type { Json } from './json.ts'
import type { ChatRequest, LoglikelihoodRequest, Request } from './request.ts'
import type { SolutionStep } from './solution.ts'
import type { Stream } from './streams.ts'
import type { TemplateParts } from './template.ts'

/**
 * The task contract. A task is a typed literal passed to {@link defineTask}; core turns it into items.
 * The question (shared, given) is kept apart from the answer: prompts, parsers, oracles and baselines see only the question.
 */

// ---- randomness

/** Random streams bound to one group (in `group`) or one index (in `draw`, `request` and baselines). */
export interface RandomStreams {
  /** Throws if one call opens the same key twice. */
  stream(label: string, ...indices: readonly number[]): Stream
  fork(label: string, ...indices: readonly number[]): RandomStreams
  /** True if this canonical content belongs to the current split. Draw again until it does. */
  inSplit(canonical: string): boolean
}

// ---- a problem

/** What is asked: the part that a group shares and the part of the item. Prompts, parsers and oracles see nothing else. */
export interface Question<S, G> {
  readonly shared: S
  readonly given: G
}
/** A question with its answer. */
export interface Problem<S, G, A> extends Question<S, G> {
  readonly answer: A
}

/** The index or group has no item. */
export interface EmptyDraw {
  readonly kind: 'unreachable'
  /** true: no such content exists; false: the search limit was reached. */
  readonly proved: boolean
  readonly reason: string
}
/** Facts about one item by name, for analyses; null where the feature does not apply. */
export type Features = { readonly [name: string]: number | string | boolean | null }
/** Result of `draw`. `F` is `z.infer<typeof features>`. */
export type DrawResult<G, A, F extends Features = Features> =
  | { readonly kind: 'drawn'; readonly given: G; readonly answer: A; readonly features: F }
  | EmptyDraw

/** `F` with `never` for each name of `K` that is not declared: TypeScript alone would accept extra names. */
type Declared<F extends Features, K extends PropertyKey> = NoInfer<F> & {
  readonly [name in K]: name extends keyof F ? unknown : never
}

// ---- layout of indices

/** The levels of a stratum, by axis. */
export interface StratumLevels {
  readonly [axis: string]: number | string | boolean
}

/** Position of an index in the layout. */
export interface ItemSlot {
  /** Index into `strata`. */
  readonly stratum: number
  /** Number of the answer block (strata that differ only in the answer); the stratum itself without a label axis. */
  readonly unit: number
  readonly group: number
  /** 0-based number of the item within its stratum (and within its group, if the layout is group-major). */
  readonly ordinal: number
}

/** A slot with the levels of its stratum: the argument of `draw`. */
export interface DrawContext extends ItemSlot {
  readonly levels: StratumLevels
}

/** Assigns a stratum and a group to every index. */
export interface Layout {
  /** null: endless */
  readonly size: number | null
  /** Axes in order of importance. */
  readonly strata: readonly StratumLevels[]
  /** The axis that is the answer: strata that differ only in it form one answer block. */
  readonly label?: string
  readonly layout: 'none' | 'group-major' | 'interleaved'
  /** Length of the runs of consecutive indices that share a group, if there are such runs. */
  readonly perGroup?: number
  /**
   * Size of contrast sets (minimal pairs have 2): each run of this many indices has one item per label, all drawn from the same
   * streams and equal in {@link TaskSpec.pairSignature}.
   */
  readonly contrastSize?: number
  /** An empty draw beyond the capacity of all strata. */
  at(index: number): ItemSlot | EmptyDraw
}

// ---- responses

/** What a parser found in a response: the answer, the rule that found it and its offsets in the text; or why it found none. */
export type Extraction<A> =
  | {
      readonly kind: 'extracted'
      readonly answer: A
      readonly rule: string
      readonly span: readonly [start: number, end: number]
    }
  | { readonly kind: 'unparsed'; readonly reason: string }

/** Must return for every text, in linear time: model output is hostile. */
export type Parser<S, G, A> = (text: string, question: Question<S, G>) => Extraction<A>

/** Score of an answer, with named subscores. */
export interface Grade {
  /** 0..1 */
  readonly value: number
  readonly parts?: { readonly [name: string]: number }
}

/** One scored token; logprob in nats. */
export interface TokenLogprob {
  readonly text: string
  readonly logprob: number
  /** Probability, at this place, of all tokens that occur in the prompt; absent where the model does not tell. */
  readonly mass?: number | undefined
}

/** An answer with the number of steps that the baseline took, in a unit that does not depend on the machine. */
export interface CountedAnswer {
  readonly text: string
  readonly steps: number
}

/** An embedded solver: text for chat tasks, log-probabilities in nats for loglikelihood tasks. */
export type Baseline<S, G> =
  | {
      readonly kind: 'chat'
      readonly note: string
      answer(question: Question<S, G>, draws: RandomStreams): string
      /** The same answer with its number of steps, if the baseline counts them. */
      work?(question: Question<S, G>, draws: RandomStreams): CountedAnswer
    }
  | {
      readonly kind: 'score'
      readonly note: string
      logprob(question: Question<S, G>, text: string): readonly TokenLogprob[]
    }

/** A declared shortcut: which probe may gain how much, and the feature within whose levels the gain must vanish. */
export interface DeclaredShortcut {
  readonly probe: string
  readonly why: string
  readonly gain: readonly [low: number, high: number]
  readonly condition?: string
}

/** One statement about terms: its kind (`greater`, `All`, `friends` ...) and the terms at its argument positions. */
export interface Statement {
  readonly kind: string
  /** Term numbers; only their equality matters. */
  readonly places: readonly number[]
}

/** Token statistics of the grammar that made a string; arrays are indexed by token number. */
export interface NgramModel {
  /** Log (nats) of the token frequencies under the grammar with uniform, damped rule probabilities; null: never occurs. */
  readonly token: readonly (number | null)[]
  readonly first: readonly (number | null)[]
  readonly last: readonly (number | null)[]
  /** log P(next | token), indexed by token, then next token. */
  readonly next: readonly (readonly (number | null)[])[]
  /** Number of nonterminals with a rule that yields the token. */
  readonly parents: readonly number[]
}

/** A question with its names erased: the input of the audit's probes. */
export type AnonymizedQuestion =
  | {
      readonly kind: 'statements'
      /** In the order of the text. */
      readonly statements: readonly Statement[]
      /** Kind of question, e.g. `judge All`. */
      readonly question: string
      /** Terms asked about, in the order of the question. */
      readonly asked: readonly number[]
      /**
       * Term named by each choice; null: the choice is ruled out by statements about the asked terms alone. Absent if all questions
       * have the same choices in the same order.
       */
      readonly candidates?: readonly (number | null)[]
      /**
       * Least distance, in statements from the asked terms, that covers a proof of the answer. Absent: half the path between two
       * asked terms, the longest path from a single one, everything if none is asked.
       */
      readonly radius?: number
    }
  | {
      readonly kind: 'string'
      /** Token numbers, the same for the same token within a group. */
      readonly tokens: readonly number[]
      readonly local?: NgramModel
    }

/** Records of one question, for the audit's probes. */
export interface ShownRecords {
  /** Each record as rows (cars of a train) with a value for each field. */
  readonly records: readonly (readonly (readonly number[])[])[]
  /** What an answer may name: a value of a field, and the word for it in a gold response. */
  readonly parts: readonly { readonly field: number; readonly value: number; readonly part: string }[]
}

/** A named set of parameter values. */
export interface Preset<C> {
  readonly summary: string
  readonly aliases?: readonly string[]
  readonly config: Partial<C>
}

/** Configs from easy to hard: one parameter, or several that move together. */
export interface Curriculum<C> {
  /** Number of levels; levels are 0 to count - 1. */
  readonly count: number
  /** What changes from level to level: the proof gets longer, the question gets longer, or there are fewer examples. */
  readonly grows: 'proof' | 'question' | 'fewer-examples'
  config(level: number): Partial<C>
}

/** The members that chat and loglikelihood tasks share. */
interface Common<C, P, S, G, A, F extends Features = Features, K extends PropertyKey = keyof F> {
  /** `family/task` */
  readonly name: string
  readonly summary: string
  /** Content version: raise it when items change. */
  readonly version: number
  /** Version of parsers and grade: raise it when stored responses must be scored again. */
  readonly scorerVersion: number
  /** Prompt version: raise it when prompts change and items do not. */
  readonly promptVersion: number
  readonly config: z.ZodType<C>
  /** Difficulty levels for training. A level is a config. */
  readonly curriculum?: Curriculum<NoInfer<C>>
  readonly presets: { readonly [name: string]: Preset<NoInfer<C>> }
  /**
   * Every feature with `.describe()` and `.meta({ role, unit })`; roles: difficulty, stratum, nuisance, truth, id. `draw` returns
   * exactly these; null is allowed where the schema is `nullable()`.
   */
  readonly features: z.ZodObject
  /** JSON of the whole dataset, computed once and stored in the manifest. Pure. */
  plan?(config: C, draws: RandomStreams): P
  layout(config: C, plan: P, draws: RandomStreams): Layout
  group?(config: C, plan: P, group: number, draws: RandomStreams): S | EmptyDraw
  /** `cell`: streams bound to (group, unit), for permutations and draws without replacement within an answer block. */
  draw(
    config: C,
    shared: S,
    at: DrawContext,
    draws: RandomStreams,
    cell: RandomStreams,
  ): DrawResult<G, A, Declared<F, K>>
  readonly styles: readonly [string, ...string[]]
  /** Texts of a question that a prompt template from a file can show. Absent: it has no templates. */
  readonly parts?: TemplateParts<S, G>
  /** Subscore that ranks models of equal accuracy. */
  readonly tieBreaker?: string
  /** What the items of a group share, in the plural: `grammars`. Default: `groups`. */
  readonly groupNoun?: string
  /** Drawings of the answer and its proof, as data. */
  drawings?(problem: Problem<S, G, A>): readonly Json[]
  readonly analyses: readonly Analysis[]
  /**
   * Analyses of the items alone that `audit` runs beside its probes. Their frame has one row per item with the columns `item` (the
   * index), `group`, `feature_*` and, if an analysis needs them, `given` and `answer` as JSON text.
   */
  readonly audits?: readonly Analysis[]
  /** Answers come from whoever wrote the questions, and nothing proves them; or scores do too, of a log, and nothing repeats them. */
  readonly asGiven?: 'answers' | 'scores'
  /** The rows of a file that cannot be asked and the reasons, as one sentence; null: all rows can. */
  skipped?(config: C): { readonly indices: ReadonlySet<number>; readonly text: string } | null
  /** True if the answer is correct, by a method independent of the generator. */
  oracle(question: Question<S, G>, answer: A): boolean
  witness(problem: Problem<S, G, A>): Json
  check(problem: Problem<S, G, A>, witness: Json): boolean
  /** The proof as steps that a person can follow, ending with the answer. */
  solution?(problem: Problem<S, G, A>): readonly SolutionStep[]
  /** Checks the checkable steps of a chain of thought. Must return for every text, in linear time. */
  checkSteps?(question: Question<S, G>, text: string): CheckedSteps
  /** The question with names erased; the audit derives its features from it (docs/audit.md). Absent if answers are open. */
  anonymize?(question: Question<S, G>): AnonymizedQuestion
  /**
   * Records that a question shows, such as trains with cars, with their values as numbers of no meaning: the audit looks for
   * records that are alike (docs/audit.md). Absent if a question shows none.
   */
  records?(question: Question<S, G>): ShownRecords
  /** What the answer must not depend on: equal for all items of a contrast set. */
  pairSignature?(question: Question<S, G>): Json
  /** The possible answers, as a response would write them; absent if answers are open. */
  choices?(question: Question<S, G>): readonly string[]
  /** Equal for items that differ only by renaming. */
  canonical?(question: Question<S, G>): string
  readonly partition?: {
    readonly domain: string
    readonly keyVersion: number
    /** 32 hex digits. */
    key(question: Question<S, G>): string
    /** Is it content of another split, asked on purpose? */
    exempts?(question: Question<S, G>): boolean
    /** `group`: the key depends on `shared` alone, so it is checked once per group. */
    readonly of: 'group' | 'item'
  }
  declaredShortcuts?(config: C): readonly DeclaredShortcut[]
  /** Non-reasoning guesses, used as probes of the audit. Each returns one of `choices`. */
  readonly heuristics?: { readonly [name: string]: (question: Question<S, G>) => string }
  readonly baselines?: { readonly [name: string]: Baseline<S, G> }
  /** Export formats of this task's items, by name. */
  readonly exporters?: { readonly [name: string]: Exporter<C, P> }
  /** Export formats of this task's runs, by name. */
  readonly runExporters?: { readonly [name: string]: RunExporter }
  /** Facts about a group that need all of its items in a run; they become columns unless items have a feature of that name. */
  groupFacts?(problems: readonly Problem<S, G, A>[]): Promise<Features>
  /** Numbers about an item that are computed when an analysis asks for them, and no part of the item. */
  readonly itemFacts?: { readonly names: readonly string[]; of(problem: Problem<S, G, A>): () => Features }
  /**
   * Improves a response using the question alone, e.g. by a search that starts from its answer; used by `hybrid:MODEL`. Must return
   * for every text and keep a correct response correct.
   */
  improve?(question: Question<S, G>, response: string, draws: RandomStreams): string
}

/** Where strict finds an answer, lenient finds the same; lenient may also find one where strict finds none. */
export interface Parsers<S, G, A> {
  readonly strict: Parser<S, G, A>
  readonly lenient: Parser<S, G, A>
  readonly [name: string]: Parser<S, G, A>
}

/** A task of either kind, with the members of both optional. */
export interface TaskSpec<C, P, S, G, A, F extends Features = Features, K extends PropertyKey = keyof F>
  extends Common<C, P, S, G, A, F, K> {
  request(question: Question<S, G>, style: string, draws: RandomStreams): Request
  readonly parsers?: Parsers<S, G, A>
  grade?(problem: Problem<S, G, A>, answer: A): Grade
  right?(problem: Problem<S, G, A>, answer: A): boolean
  metrics?(problem: Problem<S, G, A>, tokens: readonly TokenLogprob[]): { readonly [name: string]: number }
  gold?(problem: Problem<S, G, A>): string
  readonly noGold?: string
}

/** A task that a model answers with text. */
export interface ChatTask<C, P, S, G, A, F extends Features = Features, K extends PropertyKey = keyof F>
  extends Common<C, P, S, G, A, F, K> {
  request(question: Question<S, G>, style: string, draws: RandomStreams): ChatRequest
  readonly parsers: Parsers<S, G, A>
  grade(problem: Problem<S, G, A>, answer: A): Grade
  /** Does an answer earn 1? For tasks whose grades have parts that take long to work out; left out, `grade` is asked. */
  right?(problem: Problem<S, G, A>, answer: A): boolean
  readonly metrics?: never
}

/** A task whose text a model scores: no words come back, so there is nothing to read or to grade. */
export interface LoglikelihoodTask<C, P, S, G, A, F extends Features = Features, K extends PropertyKey = keyof F>
  extends Common<C, P, S, G, A, F, K> {
  request(question: Question<S, G>, style: string, draws: RandomStreams): LoglikelihoodRequest
  /** Named numbers from the log-probabilities, in nats. */
  metrics(problem: Problem<S, G, A>, tokens: readonly TokenLogprob[]): { readonly [name: string]: number }
  readonly parts?: never
  readonly parsers?: never
  readonly grade?: never
  readonly right?: never
}

/** A response that scores 1, or the reason why no answer is known. */
export type Gold<S, G, A> =
  | { gold(problem: Problem<S, G, A>): string; readonly noGold?: never }
  | { readonly gold?: never; readonly noGold: string }

/** What {@link defineTask} takes. What the compiler refuses here, the contract tests would refuse later. */
export type TaskDefinition<C, P, S, G, A, F extends Features = Features, K extends PropertyKey = keyof F> = (
  | ChatTask<C, P, S, G, A, F, K>
  | LoglikelihoodTask<C, P, S, G, A, F, K>
) &
  Gold<S, G, A> & { readonly name: `${string}/${string}`; readonly features: z.ZodType<F> }
