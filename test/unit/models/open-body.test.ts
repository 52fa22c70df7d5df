import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import { earliest } from '../../../src/models/batching/lost.ts'
import { openBody } from '../../../src/models/http.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function read(address: string): Promise<string> {
  const refuse = (status: number, body: string) => new Error(`HTTP ${status}: ${body}`)
  let text = ''
  for await (const piece of await openBody(address, { authorization: 'key' }, AbortSignal.timeout(5000), refuse))
    text += piece
  return text
}

it('a file that is kept elsewhere is read there, and no key goes along', async () => {
  const keys: unknown[] = []
  const elsewhere = await serving(({ headers }, response) => {
    keys.push(headers.authorization)
    response.end('{"line":1}\n')
  })
  const own = await serving(({ url, headers }, response) => {
    keys.push(headers.authorization)
    response.writeHead(302, { location: url === '/file' ? '/moved' : `${elsewhere}/store` }).end()
  })
  expect(await read(`${own}/file`)).toBe('{"line":1}\n')
  expect(keys).toEqual(['key', 'key', undefined])
})

it('redirects that never end, or lead to what is no web page, are refused', async () => {
  const own = await serving(({ url = '' }, response) => {
    const location = url === '/file' ? 'file:///etc/passwd' : '/round'
    response.writeHead(307, { location }).end('elsewhere')
  })
  await expect(read(`${own}/file`)).rejects.toThrow('HTTP 307: elsewhere')
  await expect(read(`${own}/round`)).rejects.toThrow('HTTP 307: elsewhere')
})

it('a file that comes packed, though nobody asked for that, is unpacked', async () => {
  const text = '{"line":1}\n'.repeat(9)
  const own = await serving(({ url = '' }, response) => {
    const [encoding, packed] = url === '/br' ? ['br', brotliCompressSync(text)] : ['gzip', gzipSync(text)]
    response.writeHead(200, { 'content-encoding': encoding }).end(url === '/half' ? packed.subarray(0, 12) : packed)
  })
  expect([await read(`${own}/gzip`), await read(`${own}/br`)]).toEqual([text, text])
  await expect(read(`${own}/half`)).rejects.toMatchObject({ code: 'cut' })
})

it('batches are ours from their intent on by the clock there, where the one here is ahead', () => {
  const intent = { key: 'k', lines: 1, intended: Date.now() }
  const there = Date.now() - 3_600_000
  expect(earliest(intent, { date: new Date(there).toUTCString() })).toBeLessThan(there)
  const behind = { date: new Date(Date.now() + 3_600_000).toUTCString() }
  expect(earliest(intent, behind)).toBe(earliest(intent, {}))
})
