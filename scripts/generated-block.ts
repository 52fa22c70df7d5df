/** A part of a page that a script writes: `<!-- NAME -->` to `<!-- /NAME -->`; all else is written by hand. */
const blockOf = (name: string): RegExp => new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`, 'u')

/** The page with a new text between the marks. */
export function withBlock(page: string, name: string, text: string): string {
  if (!blockOf(name).test(page))
    throw new Error(`the page has no <!-- ${name} --> and <!-- /${name} -->: add both lines`)
  return page.replace(blockOf(name), (_, open: string, close: string) => `${open}\n${text.trim()}\n\n${close}`)
}
