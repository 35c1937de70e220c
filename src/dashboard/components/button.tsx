import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'type' | 'class'> {
  /** Looks: `primary`, `danger`, `plain`, `small`. */
  readonly look?: string
  readonly children: ComponentChildren
}

export function Button({ look = '', ...rest }: ButtonProps) {
  return <button type="button" class={`button ${look}`} {...rest} />
}
