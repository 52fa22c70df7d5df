import type { FileTree, Imported, Importer, ImportFacts } from '../../src/core/index.ts'

/** What an importer reads from files of these texts. */
export async function importTexts(
  importer: Importer,
  texts: { readonly [path: string]: string },
  facts?: ImportFacts,
): Promise<readonly Imported[]> {
  const files: FileTree = {
    async *list() {
      for (const [path, text] of Object.entries(texts)) yield { path, bytes: text.length }
    },
    async *text(path) {
      yield texts[path] ?? ''
    },
  }
  const all: Imported[] = []
  for await (const entry of importer.read(files, facts)) all.push(entry)
  return all
}
