import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../core/errors.ts'
import { parseWithSchema } from '../core/schema-errors.ts'
import { allowance, type Trust, type Want } from '../runner/index.ts'
import { allowed, type TrustRequest } from './requests/index.ts'
import { stateFolder } from './state-folder.ts'

/** What the user of this machine allows runs from elsewhere: by the request, and for good by `settings.json` of the state folder. */
export function trustOf(request: TrustRequest): Trust {
  const folder = join(stateFolder(), 'made')
  // Names are hashes.
  const path = (key: string): string => join(folder, key)
  return {
    get allowed() {
      return [...wantsIn(request), ...wantsIn(readSettings(join(stateFolder(), 'settings.json')))]
    },
    made: {
      has: (key) => existsSync(path(key)),
      add(key) {
        try {
          mkdirSync(folder, { recursive: true, mode: 0o700 })
          writeFileSync(path(key), '')
        } catch {
          // A home folder that cannot be written is no reason to stop: the run asks again when it is resumed.
        }
      },
    },
    ...(request.confirm === undefined ? {} : { confirm: request.confirm }),
  }
}

const wantsIn = ({ allowExec = [], allowFile = [], allowHost = [], allowEnv = [] }: TrustRequest): readonly Want[] => [
  ...allowExec.flatMap((text) => allowance('exec', text)),
  ...allowFile.flatMap((text) => allowance('file', text)),
  ...allowHost.flatMap((text) => allowance('host', text)),
  ...allowEnv.flatMap((text) => allowance('env', text)),
]

const settings = z.strictObject(allowed)

function readSettings(path: string): TrustRequest {
  if (!existsSync(path)) return {}
  try {
    return parseWithSchema(settings, JSON.parse(readFileSync(path, 'utf8')), () => '')
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}. Correct or remove it`)
  }
}
