// Draws the diagrams of a page, where there are any.
const diagrams = [...document.querySelectorAll('pre > code.mermaid')]
if (diagrams.length > 0) {
  const script = document.createElement('script')
  script.src = `${document.documentElement.dataset.base}assets/mermaid.js`
  script.onload = () => {
    const dark = document.documentElement.dataset.theme === 'dark' || matchMedia('(prefers-color-scheme: dark)').matches
    mermaid.initialize({ startOnLoad: false, theme: dark ? 'dark' : 'neutral' })
    for (const code of diagrams) {
      const figure = document.createElement('div')
      figure.textContent = code.textContent
      code.parentElement.replaceWith(figure)
      mermaid.run({ nodes: [figure] })
    }
  }
  document.head.append(script)
}
