/** A text file that a task makes for use elsewhere. */
export interface ExportedFile {
  /** Relative, with `/`. */
  readonly path: string
  readonly text: string
}

/** A task's content in a form of its own, such as training sets: what `export TASK --to NAME` writes. */
export interface Exporter<C, P> {
  readonly describe: string
  /** Whose plan the files are made from. */
  readonly split: string
  files(config: C, plan: P): Iterable<ExportedFile>
}
