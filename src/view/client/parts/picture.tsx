import type { ComponentChildren, ComponentProps } from 'preact'

/** A figure whose parts can be reached one by one; a group for screen readers. */
export const Picture = ({
  label,
  children,
  ...props
}: Omit<ComponentProps<'svg'>, 'label'> & {
  readonly label: string
  readonly children: ComponentChildren
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn
  <svg role="group" aria-label={label} {...props}>
    {children}
  </svg>
)
