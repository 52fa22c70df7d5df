import type { ComponentChildren } from 'preact'

/** What may be wider than the page, and then scrolls by itself: with the keyboard too. It is no landmark: a page has many. */
export const Scroll = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
  // biome-ignore lint/a11y/useSemanticElements: nothing in it is a field
  <div class="scroll" role="group" tabIndex={0} aria-label={label}>
    {children}
  </div>
)
