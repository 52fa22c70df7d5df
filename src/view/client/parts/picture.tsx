import type { ComponentChildren, ComponentProps } from 'preact'

/** A picture whose parts can be reached one by one: to a reader it is a group of them. */
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
