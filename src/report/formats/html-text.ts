import { plainText } from './values.ts'

export const escapeHtml = (text: string): string =>
  /[&<>"']/.test(text)
    ? text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#39;')
    : text

/** Escaped; right-to-left names are isolated, else numbers after them would be reordered. */
export const isolated = (text: string): string => escapeHtml(text).replaceAll(FROM_RIGHT, '<bdi>$&</bdi>')

const FROM_RIGHT =
  /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}](?:[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{M} ]*[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}])?/gu

/** A condition with the family of its task in grey: `relic/` **recognize**. */
export function conditionHtml(name: string): string {
  const [, family = '', own = name] = /^([^\s/]+\/)(.*)$/su.exec(plainText(name)) ?? []
  return `<span class="family">${escapeHtml(family)}</span><wbr><b>${isolated(own)}</b>`
}

/** A folded part. `inside`: what it holds, in grey. */
export const fold = (title: string, inside: string, html: string): string =>
  `<details><summary>${escapeHtml(title)}${inside === '' ? '' : ` <small>${escapeHtml(inside)}</small>`}</summary>${html}</details>`
