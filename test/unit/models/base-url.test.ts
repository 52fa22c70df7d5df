import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRun, executeRun, readExperiment } from '../../../src/runner/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'

let seen: string[]
let port: number
let close: () => void
beforeEach(async () => {
  seen = []
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.writeHead(400).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  close = () => server.close()
})
afterEach(() => close())

describe('the query of a base URL', () => {
  it.each([
    ['openai-compatible', 'OPENAI_COMPATIBLE_BASE_URL', '/v1/chat/completions?api-version=2024-10-21&x=%2F'],
    ['completions', 'COMPLETIONS_BASE_URL', '/v1/completions?api-version=2024-10-21&x=%2F'],
  ])('goes along with every request of %s, behind the path', async (provider, variable, wanted) => {
    const { folder, remove } = await scratch()
    const env = { [variable]: `http://127.0.0.1:${port}/v1?api-version=2024-10-21&x=%2F` }
    const yaml = `items: { task: mock/parity, preset: small, count: 1 }\nmodels: ["${provider}:m"]\nlimits: { retries: 0 }`
    const run = await createRun({ experiment: readExperiment(yaml), dir: join(folder, 'run') }, mockContext({ env }))
    await executeRun(run)
    await run[Symbol.asyncDispose]()
    await remove()
    expect(seen[0]).toBe(wanted)
  })
})
