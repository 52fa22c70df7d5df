import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CLIENT_FILES } from '../../../src/view/server/assets.ts'
import { serveView } from '../../../src/view/server/serve.ts'

it('a folder has its own port, by which a browser keeps what was read there; beside it any that is free', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-port-'))
  for (const name of CLIENT_FILES) writeFileSync(join(folder, name), '')
  const open = () => serveView({ paths: [folder], port: null, plugins: [], client: folder })
  const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port)
  const first = await open()
  const beside = await open()
  await Promise.all([first.close(), beside.close()])
  const again = await open()
  await again.close()
  rmSync(folder, { recursive: true })
  expect(portOf(again)).toBe(portOf(first))
  expect(portOf(beside)).not.toBe(portOf(first))
})
