import type { ComponentChildren } from 'preact'

/** What may be wider than the page, and then scrolls by itself: with the keyboard too. */
export const Scroll = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
  <section class="scroll" tabIndex={0} aria-label={label}>
    {children}
  </section>
)
