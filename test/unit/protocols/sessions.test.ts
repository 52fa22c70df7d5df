import { describe, expect, it } from 'vitest'
import { protocols } from '../../../src/extras/protocols/protocols/index.ts'
import { appWith } from './server.ts'

const app = appWith({}, protocols)

/** Begins or ends a session from an address; the status. */
async function ask(path: string, id: string, address: string): Promise<number> {
  const body = JSON.stringify({ split: 'train', index: 0 })
  const headers = { 'content-type': 'application/json', 'x-session-id': id }
  const init = { method: 'POST', headers, body }
  return (await app.request(path, init, { incoming: { socket: { remoteAddress: address } } })).status
}

describe('sessions', () => {
  it('leaves a quarter of them to other addresses, and gives ended ones back', async () => {
    const taken: number[] = []
    for (let i = 0; i < 6144; i++) taken.push(await ask('/create', `greedy ${i}`, '10.0.0.1'))
    expect(new Set(taken)).toEqual(new Set([200]))
    expect(await ask('/create', 'one more', '10.0.0.1')).toBe(503)
    expect(await ask('/create', 'another', '10.0.0.2')).toBe(200)
    expect(await ask('/delete', 'greedy 7', '10.0.0.1')).toBe(200)
    expect(await ask('/delete', 'greedy 7', '10.0.0.1')).toBe(200)
    expect(await ask('/create', 'one more', '10.0.0.1')).toBe(200)
    expect(await ask('/create', 'yet one more', '10.0.0.1')).toBe(503)
  })
})
