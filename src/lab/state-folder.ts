import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where the program keeps what is of this user and machine: `TOUCHSTONE_HOME`, else the state folder of the user. */
export function stateFolder(): string {
  const { TOUCHSTONE_HOME, XDG_STATE_HOME } = process.env
  return TOUCHSTONE_HOME ?? join(XDG_STATE_HOME ?? join(homedir(), '.local/state'), 'touchstone')
}
