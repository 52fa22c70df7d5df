/** Why a program could not be read or run: it is somebody's answer that is at fault, never ours. */
export type FaultKind =
  /** It is no Prolog. */
  | 'syntax'
  /** It calls what nobody has defined. */
  | 'unknown'
  /** A goal has arguments that it cannot take. */
  | 'type'
  /** It took more steps or depth than it may. */
  | 'resource'

export class Fault extends Error {
  readonly fault: FaultKind
  constructor(fault: FaultKind, message: string) {
    super(message)
    this.name = 'Fault'
    this.fault = fault
  }
}
