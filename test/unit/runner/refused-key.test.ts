import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRun, executeRun, readExperiment } from '../../../src/runner/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'

it('a key that a server quotes as it refuses it is told to nobody', async () => {
  const { folder, remove } = await scratch()
  const server = createServer(({ headers }, response) => {
    response.writeHead(401).end(JSON.stringify({ error: { message: `no such key: ${headers.authorization}` } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const yaml = `items: { task: mock/parity, preset: small }\nmodels: [{ model: "openai-compatible:m", baseUrl: "${url}" }]`
  const env = { OPENAI_COMPATIBLE_API_KEY: 'hush-hush-1234' }
  const run = await createRun({ experiment: readExperiment(yaml), dir: join(folder, 'run') }, mockContext({ env }))
  const { stoppedModels } = await executeRun(run)
  await run[Symbol.asyncDispose]()
  server.close()
  await remove()
  expect(stoppedModels['openai-compatible:m']?.message).toBe(
    'HTTP 401: no such key: Bearer [redacted:OPENAI_COMPATIBLE_API_KEY]',
  )
})
