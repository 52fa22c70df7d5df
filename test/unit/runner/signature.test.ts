import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fingerprintIn, signerOf, signSeal } from '../../../src/extras/seals/index.ts'
import { scratch } from '../../mock/context.ts'

const { folder, remove } = await scratch()
afterAll(remove)
const content = Buffer.from('{"schema":"touchstone/seal/1"}\n')
const pem = (type: 'ed25519' | 'x25519'): string =>
  (type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519')).privateKey.export({
    format: 'pem',
    type: 'pkcs8',
  }) as string
const signature = signSeal(content, pem('ed25519'), 'key.pem')

describe('the signature of a seal', () => {
  it('names its key, and is good for no other content', () => {
    expect(signerOf(content, signature)).toEqual({
      kind: 'good',
      key: expect.stringMatching(/^SHA256:[\w+/]{43}$/u) as string,
    })
    expect(signerOf(Buffer.from('{}'), signature)).toEqual({ kind: 'bad', message: 'it is of another content' })
  })

  it('with any character changed is bad, and never an error', () => {
    const lines = signature.split('\n')
    const body = lines.slice(1, -2).join('')
    for (let i = 0; i < body.length; i++) {
      const changed = body.slice(0, i) + (body[i] === 'A' ? 'B' : 'A') + body.slice(i + 1)
      // The last characters of base64 may hold bits that say nothing.
      if (Buffer.from(changed, 'base64').equals(Buffer.from(body, 'base64'))) continue
      expect(signerOf(content, [lines[0], changed, ...lines.slice(-2)].join('\n')).kind, String(i)).toBe('bad')
    }
    for (const text of ['', 'x', '-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----', signature.slice(0, -60)])
      expect(signerOf(content, text).kind).toBe('bad')
  })

  it('needs an Ed25519 key, and says how to make one', () => {
    for (const key of [pem('x25519'), 'no key'])
      expect(() => signSeal(content, key, 'key.pem')).toThrow(
        /key\.pem is not an Ed25519 private key .*openssl genpkey -algorithm ed25519/u,
      )
    expect(() => fingerprintIn('me', 'me')).toThrow(/expected a public key/u)
  })
})

const run = (command: string, args: readonly string[], input: string | Buffer = '') =>
  spawnSync(command, args, { cwd: folder, input, encoding: 'utf8' })

describe.skipIf(run('ssh-keygen', ['-?']).error !== undefined)('with ssh-keygen', () => {
  it('each checks what the other signed', async () => {
    const at = (name: string): string => join(folder, name)
    await writeFile(at('seal.json'), content)
    expect(run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'me', '-f', 'id']).status).toBe(0)
    expect(run('ssh-keygen', ['-Y', 'sign', '-n', 'touchstone-seal', '-f', 'id', 'seal.json']).status).toBe(0)
    const theirs = await readFile(at('seal.json.sig'), 'utf8')
    const publicKey = await readFile(at('id.pub'), 'utf8')
    expect(signerOf(content, theirs)).toEqual({ kind: 'good', key: fingerprintIn(publicKey, 'id.pub') })
    expect(run('ssh-keygen', ['-l', '-f', 'id.pub']).stdout).toContain(fingerprintIn(publicKey, 'id.pub'))

    const { privateKey, publicKey: mine } = generateKeyPairSync('ed25519')
    await writeFile(
      at('mine.sig'),
      signSeal(content, privateKey.export({ format: 'pem', type: 'pkcs8' }) as string, 'mine'),
    )
    const raw = mine.export({ format: 'der', type: 'spki' }).subarray(12)
    const blob = Buffer.concat([
      Buffer.from([0, 0, 0, 11]),
      Buffer.from('ssh-ed25519'),
      Buffer.from([0, 0, 0, 32]),
      raw,
    ])
    await writeFile(at('allowed'), `me ssh-ed25519 ${blob.toString('base64')}\n`)
    const check = (input: Buffer) =>
      run('ssh-keygen', ['-Y', 'verify', '-n', 'touchstone-seal', '-I', 'me', '-f', 'allowed', '-s', 'mine.sig'], input)
        .status
    expect(check(content)).toBe(0)
    expect(check(Buffer.from('{}'))).not.toBe(0)

    expect(run('ssh-keygen', ['-Y', 'sign', '-n', 'file', '-f', 'id', 'id.pub']).status).toBe(0)
    expect(signerOf(Buffer.from(publicKey), await readFile(at('id.pub.sig'), 'utf8'))).toMatchObject({
      kind: 'bad',
      message: expect.stringMatching(/made for "file"/u) as string,
    })
  })
})
