import { Writable } from 'node:stream'
import { run, type StricliProcess } from '@stricli/core'
import { app } from '../../../src/cli/app.ts'
import type { Context } from '../../../src/cli/context.ts'
import { exitCodeOf } from '../../../src/cli/exits.ts'
import { nightly } from '../../nightly.ts'
import { type Finished, home, touchstone as inOwnProcess, jsonWith } from './cli.ts'

/** Keeps what is written. */
class Kept extends Writable {
  text = ''
  constructor() {
    super({ decodeStrings: false })
  }
  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

/**
 * The command line without the start of Node and the loading of its modules, which take longer than most commands: for
 * tests of what commands say and write. Those of signals, pipes, environments and plugins start a process, and so does
 * everything in the nightly run.
 */
export const touchstone: (args: readonly string[]) => Promise<Finished> = nightly ? inOwnProcess : inThisProcess

async function inThisProcess(args: readonly string[]): Promise<Finished> {
  process.env['TOUCHSTONE_HOME'] = home
  const [stdout, stderr] = [new Kept(), new Kept()]
  const own: NodeJS.Process = Object.create(process, {
    stdout: { value: stdout },
    stderr: { value: stderr },
    exitCode: { value: undefined, writable: true },
  })
  await run(app, [...args], { process: own } as Context & { readonly process: StricliProcess })
  return { code: exitCodeOf(own.exitCode), stdout: stdout.text, stderr: stderr.text }
}

/** The one JSON document of a `--json` call. Throws where standard output holds anything else. */
export const json = jsonWith(touchstone)
