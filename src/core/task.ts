import type { z } from 'zod'
import type { Analysis } from './analysis.ts'
import type { CheckedSteps } from './checked-steps.ts'
import type { Exporter, RunExporter } from './exporter.ts'
import type { Json } from './json.ts'
import type { ChatRequest, LoglikelihoodRequest, Request } from './request.ts'
import type { SolutionStep } from './solution.ts'
import type { Stream } from './stream.ts'

/**
 * The task contract. A task is a typed literal handed to {@link defineTask}; core turns it into items.
 * What is asked (shared, given) is apart from what is true (answer): prompts, parsers, oracles and baselines see
 * only the former.
 */

// ---- randomness: four namespaces, so that labels of one never meet those of another

/** Streams bound by core to the group number in `group`, to the index in `draw`, `request` and baselines. */
export interface RandomStreams {
  /** The same key twice in one call throws. */
  stream(label: string, ...indices: readonly number[]): Stream
  fork(label: string, ...indices: readonly number[]): RandomStreams
  /** Does the split's fence region hold this canonical key? Redraw until it does. */
  inSplit(canonical: string): boolean
}

// ---- a problem

/** What is asked: what the group shares, and what the item gives. Prompts, parsers and oracles see nothing else. */
export interface Question<S, G> {
  readonly shared: S
  readonly given: G
}
/** A question with its answer, which no prompt sees. */
export interface Problem<S, G, A> extends Question<S, G> {
  readonly answer: A
}

/** There is no item here, and why. */
export interface EmptyDraw {
  readonly kind: 'unreachable'
  /** true: no such content exists; false: given up after the stated effort. */
  readonly proved: boolean
  readonly reason: string
}
/** Facts about one item by name, for analyses; null where an item has none. */
export type Features = { readonly [name: string]: number | string | boolean | null }
/** What `draw` gives: an item, or why there is none. `F` is what the schema of features says: `z.infer<typeof features>`. */
export type DrawResult<G, A, F extends Features = Features> =
  | { readonly kind: 'drawn'; readonly given: G; readonly answer: A; readonly features: F }
  | EmptyDraw

/** The features declared, with `never` in the place of each of `K`, the names given, that is not: types of values alone let it pass. */
type Declared<F extends Features, K extends PropertyKey> = NoInfer<F> & {
  readonly [name in K]: name extends keyof F ? unknown : never
}

// ---- which index is what

/** The levels of a stratum, by axis. */
export interface StratumLevels {
  readonly [axis: string]: number | string | boolean
}

/** Where an index lies in the layout. */
export interface ItemSlot {
  /** Index into `strata`. */
  readonly stratum: number
  /** The stratum's unit: cells equal but for the label. The stratum itself where there is no label. */
  readonly unit: number
  readonly group: number
  /** The how-manieth item of its stratum (and group, where groups come one after another). */
  readonly ordinal: number
}

/** A place with the levels of its stratum looked up: what `draw` gets. */
export interface DrawContext extends ItemSlot {
  readonly levels: StratumLevels
}

/** Which index is which stratum and group: the plan of a set. */
export interface Layout {
  /** null: endless */
  readonly size: number | null
  /** Axes in order of importance. */
  readonly strata: readonly StratumLevels[]
  /** The axis that is the answer: cells equal but for it are one unit. */
  readonly label?: string
  readonly layout: 'none' | 'group-major' | 'interleaved'
  /** Indices in a row, from a multiple of it on, that are of one group; left out where groups do not lie so. */
  readonly perGroup?: number
  /**
   * Twins are asked together: every run of this many indices (from a multiple of it on) has one item a label, all from the
   * same draw streams, equal in {@link TaskSpec.pairSignature}.
   */
  readonly contrastSize?: number
  /** Unreachable where the sum of capacities is passed below `size`. */
  at(index: number): ItemSlot | EmptyDraw
}

// ---- what a model is asked and what it answers

/** What a parser made of a response: an answer with the rule and the place in the text, or why there is none. */
export type Extraction<A> =
  | {
      readonly kind: 'extracted'
      readonly answer: A
      readonly rule: string
      readonly span: readonly [start: number, end: number]
    }
  | { readonly kind: 'unparsed'; readonly reason: string }

/** Total and linear-time: model output is hostile. */
export type Parser<S, G, A> = (text: string, question: Question<S, G>) => Extraction<A>

/** What an answer is worth, 0 to 1, and named parts of that. */
export interface Grade {
  /** 0..1 */
  readonly value: number
  readonly parts?: { readonly [name: string]: number }
}

/** One scored token; logprob in nats. */
export interface TokenLogprob {
  readonly text: string
  readonly logprob: number
}

/** An answer and the steps to find it, in a unit of the baseline's own that is the same on every machine. */
export interface CountedAnswer {
  readonly text: string
  readonly steps: number
}

/**
 * An answerer that is no language model: words for a task that is answered, log-probabilities in nats for one that is scored.
 */
export type Baseline<S, G> =
  | {
      readonly kind: 'chat'
      readonly note: string
      answer(question: Question<S, G>, draws: RandomStreams): string
      /** The same answer with what it took, where the baseline counts that. */
      work?(question: Question<S, G>, draws: RandomStreams): CountedAnswer
    }
  | {
      readonly kind: 'score'
      readonly note: string
      logprob(question: Question<S, G>, text: string): readonly TokenLogprob[]
    }

/** A declared shortcut (integrity 3.6): which probe may gain how much, and inside which feature it must vanish. */
export interface DeclaredShortcut {
  readonly probe: string
  readonly why: string
  readonly gain: readonly [low: number, high: number]
  readonly condition?: string
}

/** One statement about terms: its kind (`greater`, `All`, `friends` ...) and the terms in the places of that kind. */
export interface Statement {
  readonly kind: string
  /** Numbers of terms, which carry no meaning of their own. */
  readonly places: readonly number[]
}

/** What the grammar of a string says of its own tokens at short range; arrays are by number of the token. */
export interface NgramModel {
  /** Natural logarithms of the shares of tokens under the grammar's damped uniform PCFG; null: never. */
  readonly token: readonly (number | null)[]
  readonly first: readonly (number | null)[]
  readonly last: readonly (number | null)[]
  /** log P(next | token), by token, then next. */
  readonly next: readonly (readonly (number | null)[])[]
  /** How many symbols have a rule that makes the token. */
  readonly parents: readonly number[]
}

/** A question with its names erased: what an attacker of the audit may see of it. */
export type AnonymizedQuestion =
  | {
      readonly kind: 'statements'
      /** In the order of the text. */
      readonly statements: readonly Statement[]
      /** What is asked, e.g. `judge All`; one word where all questions ask alike. */
      readonly question: string
      /** The terms asked about, in the order of the question. */
      readonly asked: readonly number[]
      /**
       * The term that each of the choices names; null: not to be considered, since whoever reads what is said of the asked
       * terms rules it out. Absent where choices are the same for all questions, in the same places.
       */
      readonly candidates?: readonly (number | null)[]
      /**
       * The least number of statements around the asked terms in which a proof of the answer lies. Absent: half of the
       * way between two asked terms, all of the way from a single one to the farthest, everything where none is asked.
       */
      readonly radius?: number
    }
  | {
      readonly kind: 'string'
      /** Numbers of tokens, equal for equal tokens of a group. */
      readonly tokens: readonly number[]
      readonly local?: NgramModel
    }

/** A named setting of the knobs of a task. */
export interface Preset<C> {
  readonly summary: string
  readonly aliases?: readonly string[]
  readonly config: Partial<C>
}

/** Configs from easy to hard: one knob, or several that move together. */
export interface Curriculum<C> {
  /** How many levels: 0 to count - 1. */
  readonly count: number
  /** What grows from level to level: the proof of an answer, the question, or it is the examples that get fewer. */
  readonly grows: 'proof' | 'question' | 'fewer-examples'
  config(level: number): Partial<C>
}

/** What every task has, however it is asked and judged. */
interface Common<
  C,
  P extends Json,
  S extends Json,
  G extends Json,
  A extends Json,
  F extends Features = Features,
  K extends PropertyKey = keyof F,
> {
  /** `family/task` */
  readonly name: string
  readonly summary: string
  /** Of the content: bump = other items. */
  readonly version: number
  /** Of parsers and grade: bump = re-score only. */
  readonly scorerVersion: number
  /** Of request: bump = other prompts, same items. */
  readonly promptVersion: number
  readonly config: z.ZodType<C>
  /** What training climbs: a level is a config, so its items are drawn and fenced like any others. */
  readonly curriculum?: Curriculum<NoInfer<C>>
  /** What their keys may be is said by the config alone. */
  readonly presets: { readonly [name: string]: Preset<NoInfer<C>> }
  /**
   * Every feature with `.describe()` and `.meta({ role, unit })`; roles: difficulty, stratum, nuisance, truth, id. `draw` gives
   * each of them and no other: null where an item has none and the schema says `nullable()`.
   */
  readonly features: z.ZodObject
  /** Dataset-level JSON, computed once and stored in the manifest; pure. */
  plan?(config: C, draws: RandomStreams): P
  layout(config: C, plan: P, draws: RandomStreams): Layout
  group?(config: C, plan: P, group: number, draws: RandomStreams): S | EmptyDraw
  /** `cell`: streams bound to (group, unit), for permutations and rosters (integrity 2.4). */
  draw(
    config: C,
    shared: S,
    at: DrawContext,
    draws: RandomStreams,
    cell: RandomStreams,
  ): DrawResult<G, A, Declared<F, K>>
  readonly styles: readonly [string, ...string[]]
  /** The part of a grade that parts models of equal accuracy. */
  readonly tieBreaker?: string
  /** Drawings of the truth as data. */
  drawings?(problem: Problem<S, G, A>): readonly Json[]
  readonly analyses: readonly Analysis[]
  /**
   * Figures about the items alone that `audit` gives beside its probes, for shortcuts that no probe can measure (a scored
   * task has no answers to guess). Their frame holds `item` (the index), `group` and `feature_*`, one row an item; `given` and
   * `answer`, as JSON text, where one of them needs these.
   */
  readonly audits?: readonly Analysis[]
  /** Is this answer right? By a method independent of the generator. */
  oracle(question: Question<S, G>, answer: A): boolean
  witness(problem: Problem<S, G, A>): Json
  check(problem: Problem<S, G, A>, witness: Json): boolean
  /**
   * The witness as lines that a person can follow, with the answer at their end. In every detail each step holds and the steps
   * give the answer.
   */
  solution?(problem: Problem<S, G, A>): readonly SolutionStep[]
  /** The steps of a chain of thought that can be checked, each checked. Total and linear-time: model output is hostile. */
  checkSteps?(question: Question<S, G>, text: string): CheckedSteps
  /**
   * What an attacker may see of a question with its names erased, as data: core makes the features of every level from it
   * (docs/decisions/attacker.md). Absent where answers are not closed.
   */
  anonymize?(question: Question<S, G>): AnonymizedQuestion
  /** What a fair answer must not depend on: equal for twins, whatever their answers. */
  pairSignature?(question: Question<S, G>): Json
  /** Closed answers, as a response would give them. */
  choices?(question: Question<S, G>): readonly string[]
  /** Equal for items that differ by renaming only. */
  canonical?(question: Question<S, G>): string
  readonly partition?: {
    readonly domain: string
    readonly keyVersion: number
    /** 32 hex digits. */
    key(question: Question<S, G>): string
    /** `group`: the key needs `shared` alone, so core checks once a group. */
    readonly of: 'group' | 'item'
  }
  declaredShortcuts?(config: C): readonly DeclaredShortcut[]
  /** Probes of the audit: a guess, one of `choices`. */
  readonly heuristics?: { readonly [name: string]: (question: Question<S, G>) => string }
  readonly baselines?: { readonly [name: string]: Baseline<S, G> }
  /** What `export` can make of a config beside prompts and rows, by name. */
  readonly exporters?: { readonly [name: string]: Exporter<C, P> }
  /** What `export` can make of a run of this task, by name. */
  readonly runExporters?: { readonly [name: string]: RunExporter }
  /** Facts about a group that need all of its items in a run: columns of the run's reports, where its items have none of that name. */
  groupFacts?(problems: readonly Problem<S, G, A>[]): Promise<Features>
  /**
   * A response made better from the question alone, e.g. by a search that begins from the answer in it: what
   * `hybrid:MODEL` asks for. Total: a response may hold anything. One that is right stays right.
   */
  improve?(question: Question<S, G>, response: string, draws: RandomStreams): string
}

/** How an answer is read: where strict reads one, lenient reads the same; it goes on looking where strict gives up. */
export interface Parsers<S, G, A> {
  readonly strict: Parser<S, G, A>
  readonly lenient: Parser<S, G, A>
  readonly [name: string]: Parser<S, G, A>
}

/** A task with whatever it has of both kinds: what core reads once the kind no longer matters. */
export interface TaskSpec<
  C,
  P extends Json,
  S extends Json,
  G extends Json,
  A extends Json,
  F extends Features = Features,
  K extends PropertyKey = keyof F,
> extends Common<C, P, S, G, A, F, K> {
  request(question: Question<S, G>, style: string, draws: RandomStreams): Request
  readonly parsers?: Parsers<S, G, A>
  grade?(problem: Problem<S, G, A>, answer: A): Grade
  right?(problem: Problem<S, G, A>, answer: A): boolean
  metrics?(problem: Problem<S, G, A>, tokens: readonly TokenLogprob[]): { readonly [name: string]: number }
  gold?(problem: Problem<S, G, A>): string
  readonly noGold?: string
}

/** A task that a model answers in words. */
export interface ChatTask<
  C,
  P extends Json,
  S extends Json,
  G extends Json,
  A extends Json,
  F extends Features = Features,
  K extends PropertyKey = keyof F,
> extends Common<C, P, S, G, A, F, K> {
  request(question: Question<S, G>, style: string, draws: RandomStreams): ChatRequest
  readonly parsers: Parsers<S, G, A>
  grade(problem: Problem<S, G, A>, answer: A): Grade
  /** Does an answer earn 1? For tasks whose grades have parts that take long to work out; left out, `grade` is asked. */
  right?(problem: Problem<S, G, A>, answer: A): boolean
  readonly metrics?: never
}

/** A task whose text a model scores: no words come back, so there is nothing to read or to grade. */
export interface LoglikelihoodTask<
  C,
  P extends Json,
  S extends Json,
  G extends Json,
  A extends Json,
  F extends Features = Features,
  K extends PropertyKey = keyof F,
> extends Common<C, P, S, G, A, F, K> {
  request(question: Question<S, G>, style: string, draws: RandomStreams): LoglikelihoodRequest
  /** Named numbers from the log-probabilities, in nats. */
  metrics(problem: Problem<S, G, A>, tokens: readonly TokenLogprob[]): { readonly [name: string]: number }
  readonly parsers?: never
  readonly grade?: never
  readonly right?: never
}

/** A response that scores 1, or the reason why no answer is known. */
export type Gold<S, G, A> =
  | { gold(problem: Problem<S, G, A>): string; readonly noGold?: never }
  | { readonly gold?: never; readonly noGold: string }

/** What {@link defineTask} takes. What the compiler refuses here, the laws of the contract would refuse later. */
export type TaskDefinition<
  C,
  P extends Json,
  S extends Json,
  G extends Json,
  A extends Json,
  F extends Features = Features,
  K extends PropertyKey = keyof F,
> = (ChatTask<C, P, S, G, A, F, K> | LoglikelihoodTask<C, P, S, G, A, F, K>) &
  Gold<S, G, A> & { readonly name: `${string}/${string}`; readonly features: z.ZodType<F> }
