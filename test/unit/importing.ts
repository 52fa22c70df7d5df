import type { FileTree, Imported, Importer } from '../../src/core/index.ts'

/** A folder with these texts. */
export const treeOf = (texts: { readonly [path: string]: string }): FileTree => ({
  async *list() {
    for (const [path, text] of Object.entries(texts)) yield { path, bytes: text.length }
  },
  async *text(path) {
    yield texts[path] ?? ''
  },
})

/** What an importer reads from files of these texts. */
export async function importTexts(
  importer: Importer,
  texts: { readonly [path: string]: string },
  ancestors?: readonly string[],
): Promise<readonly Imported[]> {
  const all: Imported[] = []
  for await (const entry of importer.read(treeOf(texts), ancestors)) all.push(entry)
  return all
}
