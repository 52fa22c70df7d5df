/** What is wrong with a probabilistic grammar. */
export type PcfgFault =
  | 'syntax'
  | 'empty'
  | 'undefined'
  | 'unproductive'
  | 'unreachable'
  | 'sum'
  | 'not-terminating'
  | 'too-large'
  | 'unsupported'

/** A probabilistic grammar that cannot be used; the message says what was expected, what came and what to do. */
export class PcfgError extends Error {
  override readonly name = 'PcfgError'
  readonly fault: PcfgFault

  constructor(fault: PcfgFault, message: string) {
    super(message)
    this.fault = fault
  }
}
