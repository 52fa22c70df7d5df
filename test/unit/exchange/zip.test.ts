import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { csvRows } from '../../../src/core/index.ts'
import { unzip, zip } from '../../../src/extras/exchange/zip.ts'
import { scratch } from '../../e2e/cli/cli.ts'
import { archiveOf } from './archives.ts'

const folder = scratch()
afterAll(folder.remove)
const bytes = (text: string) => new TextEncoder().encode(text)
const files = [
  { path: 'header.json', bytes: bytes('{"a": 1}') },
  { path: 'samples/ü_epoch_1.json', bytes: bytes('x'.repeat(100_000)) },
  { path: 'empty', bytes: new Uint8Array() },
]
const all = async (archive: Uint8Array, wanted: (path: string) => boolean = () => true) => {
  const found: { path: string; bytes: Uint8Array }[] = []
  for await (const entry of unzip(archive, wanted)) found.push(entry)
  return found
}
const plain = (entries: readonly { path: string; bytes: Uint8Array }[]) =>
  entries.map(({ path, bytes: content }) => [path, Buffer.from(content).toString('latin1')])

describe('zip', () => {
  it('comes back as it was', async () => {
    const archive = await zip(files)
    expect(plain(await all(archive))).toEqual(plain(files))
    expect(plain(await all(archive, (path) => path === 'empty'))).toEqual([['empty', '']])
    expect(await zip(files)).toEqual(archive)
  })

  const hasPython = spawnSync('python3', ['--version']).status === 0
  it.skipIf(!hasPython)('is read by the zipfile of Python', async () => {
    writeFileSync(folder.path('a.zip'), await zip(files))
    const code =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.namelist(), len(z.read("empty")))'
    const { stdout, stderr } = spawnSync('python3', ['-c', code, folder.path('a.zip')], { encoding: 'utf8' })
    expect([stdout.trim(), stderr]).toEqual(["None ['header.json', 'samples/ü_epoch_1.json', 'empty'] 0", ''])
  })

  it('that is damaged is refused or read right, never taken otherwise, and never crashes', async () => {
    const archive = await zip(files)
    const want = plain(files)
    await fc.assert(
      fc.asyncProperty(fc.nat(archive.length - 1), fc.nat(255), async (at, value) => {
        const changed = archive.slice()
        changed[at] = value
        let got: unknown
        try {
          got = plain(await all(changed))
        } catch (error) {
          expect((error as Error).name).toBe('UsageError')
          return
        }
        // A changed name or an unread field is no harm; changed content would be.
        for (const [i, [, content]] of (got as string[][]).entries()) expect(content).toBe(want[i]?.[1])
      }),
      { numRuns: 2000 },
    )
    for (let end = 0; end < archive.length; end += 7)
      await expect(all(archive.subarray(0, end))).rejects.toThrow('cannot be read')
  })

  it('that unpacks to more than it says is refused', async () => {
    const archive = await zip([{ path: 'bomb', bytes: new Uint8Array(1 << 20) }])
    const view = Buffer.from(archive)
    const central = view.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))
    view.writeUInt32LE(10, central + 24)
    await expect(all(view)).rejects.toThrow('cannot be unpacked')
  })

  it('that is too large says whether one file is, or all together', async () => {
    const stated = (size: number, count: number) =>
      all(archiveOf(Array.from({ length: count }, (_, i) => ({ path: `f${i}`, text: 'x', method: 8, size }))))
    await expect(stated(2 ** 28 + 1, 1)).rejects.toThrow('f0 is larger than 268435456 bytes')
    await expect(stated(2 ** 28, 17)).rejects.toThrow('its files are larger than 4294967296 bytes')
  })
})

describe('csv', () => {
  const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`
  it('comes back as it was, quoted', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é') })
    fc.assert(
      fc.property(fc.array(fc.record({ item: cell, text: cell })), (want) => {
        const text = ['item,text', ...want.map(({ item, text: said }) => `${quote(item)},${quote(said)}`)].join('\r\n')
        expect([...csvRows(text)]).toEqual(want)
      }),
    )
  })
  it('with a quote left open is refused', () => {
    expect(() => [...csvRows('item,text\n"a,b')]).toThrow('never closed')
    expect(() => [...csvRows('item,text\n"a"b,c')]).toThrow('after a closing quote')
  })
})
