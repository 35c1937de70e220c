// A form, a question or a filter at the lower edge. The list above it stays visible.
import { StatusMessage } from '@inkjs/ui'
import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import { pad, truncate } from '../../terminal/text-width.ts'
import type { Field, Form } from '../../view-model/forms/form.ts'
import { visibleFields } from '../../view-model/forms/form-fields.ts'
import type { Overlay, State } from '../state/state.ts'
import { sanitizeValue } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { bodyHeight, firstVisibleIndex } from './layout.ts'

/** Returns the height including the frame, or 0 if the overlay is not drawn as a modal. */
export function modalHeight({ overlay, size }: State): number {
  if (overlay?.kind === 'form')
    return Math.min(bodyHeight(size), visibleFields(overlay.form).length + fixedHeight(overlay.form))
  return overlay?.kind === 'confirm' || overlay?.kind === 'filter' ? 3 : 0
}

/** Returns the lines of a form except its fields: frame, title and problem. */
function fixedHeight({ problem }: Form): number {
  return problem === undefined ? 3 : 4
}

interface ModalProps {
  readonly height: number
  readonly columns: number
  readonly theme: Theme
}

export function Modal({ overlay, height, columns, theme }: ModalProps & { readonly overlay: Overlay }): ReactNode {
  const ascii = theme.symbols.horizontal === '-'
  return (
    <Box
      flexDirection="column"
      width={columns}
      borderStyle={ascii ? 'classic' : 'round'}
      borderColor={theme.borderColour}
      paddingX={1}
    >
      <ModalContent overlay={overlay} height={height - 2} columns={columns - 4} theme={theme} />
    </Box>
  )
}

function ModalContent({ overlay, height, columns, theme }: ModalProps & { readonly overlay: Overlay }): ReactNode {
  switch (overlay.kind) {
    case 'form':
      return <FormFields form={overlay.form} height={height} columns={columns} theme={theme} />
    case 'confirm':
      return (
        <Text>{`${theme.warning(truncate(sanitizeValue(overlay.question), columns - 5))}  ${theme.bold('y/N')}`}</Text>
      )
    case 'filter':
      return (
        <Text wrap="truncate">{`${theme.dim('filter ')}${inputText(overlay.text, overlay.cursor, columns - 8, theme)}`}</Text>
      )
    case 'help':
      return null
  }
}

function FormFields({ form, height, columns, theme }: ModalProps & { readonly form: Form }): ReactNode {
  const fields = visibleFields(form)
  const visibleCount = height + 2 - fixedHeight(form)
  const first = firstVisibleIndex(fields.length, form.field, visibleCount)
  return (
    <>
      <Text wrap="truncate" bold>
        {form.title}
      </Text>
      {fields.slice(first, first + visibleCount).map((field) => (
        <Text key={field.name} wrap="truncate">
          {fieldText(form, field, field === fields[form.field], columns, theme)}
        </Text>
      ))}
      {form.problem === undefined ? null : <StatusMessage variant="error">{form.problem}</StatusMessage>}
    </>
  )
}

function fieldText(
  { values, cursor, selected }: Form,
  field: Field,
  isFocused: boolean,
  columns: number,
  theme: Theme,
): string {
  const value = values[field.name] ?? ''
  const label = pad(field.label, 10)
  const prefix = isFocused ? theme.accent(`${theme.symbols.pointer} ${label}`) : theme.dim(`  ${label}`)
  if (!isFocused) return `${prefix}  ${value}`
  const hint = field.hint === undefined ? '' : theme.dim(`  ${field.hint}`)
  if (field.choices !== undefined) return `${prefix}${theme.selected(` ‹ ${value} › `)}${hint}`
  if (selected) return `${prefix}  ${theme.selected(truncate(sanitizeValue(value), columns - 14))}${hint}`
  return `${prefix}  ${inputText(value, cursor, columns - 14, theme)}${hint}`
}

/** Shows the text around the cursor that fits into `columns`. */
function inputText(text: string, cursor: number, columns: number, theme: Theme): string {
  const characters =
    [...sanitizeValue(`${text}_`).slice(0, -1)].length === [...text].length ? [...text] : [...sanitizeValue(text)]
  const from = Math.max(0, cursor - columns + 1)
  const before = characters.slice(from, cursor).join('')
  const atCursor = characters[cursor] ?? ' '
  return `${before}${theme.selected(atCursor)}${characters.slice(cursor + 1, from + columns).join('')}`
}
