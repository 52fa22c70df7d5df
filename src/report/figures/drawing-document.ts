const SVG = 'http://www.w3.org/2000/svg'

/**
 * The part of a DOM that Plot needs: elements with attributes, inline style and text, and their `outerHTML`. A full DOM library takes
 * longer to load than all figures to draw, and ten times the memory.
 */
export const drawingDocument = (): DrawingDocument => {
  const made: DrawingDocument = {
    createElementNS: (namespace, name) => new DrawnElement(made, namespace, name),
    createTextNode: (text) => new DrawnText(text),
    get documentElement() {
      return new DrawnElement(made, SVG, 'svg')
    },
  }
  return made
}

interface DrawingDocument {
  createElementNS(namespace: string, name: string): DrawnElement
  createTextNode(text: string): DrawnText
  readonly documentElement: DrawnElement
}

class DrawnText {
  parentNode: DrawnElement | null = null
  readonly outerHTML: string

  constructor(text: string) {
    this.outerHTML = escaped(text)
  }
}

type DrawnNode = DrawnElement | DrawnText

class DrawnElement {
  readonly ownerDocument: DrawingDocument
  readonly namespaceURI: string
  readonly tagName: string
  readonly childNodes: DrawnNode[] = []
  parentNode: DrawnElement | null = null
  private readonly attributes = new Map<string, string>()

  constructor(ownerDocument: DrawingDocument, namespaceURI: string, tagName: string) {
    this.ownerDocument = ownerDocument
    this.namespaceURI = namespaceURI
    this.tagName = tagName
  }

  /** Write only: kept in the attribute. */
  get style(): object {
    return new Proxy(this, {
      set(element, property, value) {
        const before = element.getAttribute('style')
        const declaration = `${dashed(String(property))}: ${colour(String(value))};`
        element.setAttribute('style', before === null ? declaration : `${before} ${declaration}`)
        return true
      },
    })
  }

  get children(): readonly DrawnElement[] {
    return this.childNodes.filter((node) => node instanceof DrawnElement)
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value))
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null
  }

  hasAttribute(name: string): boolean {
    return this.attributes.has(name)
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name)
  }

  appendChild(node: DrawnNode): DrawnNode {
    return this.insertBefore(node, null)
  }

  insertBefore(node: DrawnNode, next: DrawnNode | null): DrawnNode {
    node.parentNode?.removeChild(node)
    const at = next === null ? -1 : this.childNodes.indexOf(next)
    this.childNodes.splice(at < 0 ? this.childNodes.length : at, 0, node)
    node.parentNode = this
    return node
  }

  append(...nodes: (DrawnNode | string)[]): void {
    for (const node of nodes) this.appendChild(typeof node === 'string' ? new DrawnText(node) : node)
  }

  removeChild(node: DrawnNode): DrawnNode {
    this.childNodes.splice(this.childNodes.indexOf(node), 1)
    node.parentNode = null
    return node
  }

  set textContent(text: string) {
    this.childNodes.splice(0)
    if (text !== '') this.appendChild(new DrawnText(text))
  }

  get outerHTML(): string {
    const attributes = [...this.attributes].map(
      ([name, value]) => ` ${name}="${escaped(value).replaceAll('"', '&quot;')}"`,
    )
    const inside = this.childNodes.map((node) => node.outerHTML)
    return `<${this.tagName}${attributes.join('')}>${inside.join('')}</${this.tagName}>`
  }
}

const dashed = (property: string): string => property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Colours of a style in the form that browsers return. */
const colour = (value: string): string =>
  value.replace(
    /^#(..)(..)(..)$/,
    (_, ...parts) =>
      `rgb(${parts
        .slice(0, 3)
        .map((part) => Number.parseInt(String(part), 16))
        .join(', ')})`,
  )

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
