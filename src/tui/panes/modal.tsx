// What is asked at the lower edge: a form, a question, a filter. The list stays in view above it.
import { StatusMessage } from '@inkjs/ui'
import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import { pad, truncate } from '../../terminal/text-width.ts'
import type { Field, Form } from '../forms/form.ts'
import { visibleFields } from '../forms/form-fields.ts'
import type { Overlay, State } from '../state/state.ts'
import { sanitizeValue } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { bodyHeight, firstVisibleIndex } from './layout.ts'

/** Lines a sheet takes, its frame included; 0 where the overlay is no sheet. */
export function modalHeight({ overlay, size }: State): number {
  if (overlay?.kind === 'form')
    return Math.min(bodyHeight(size), visibleFields(overlay.form).length + fixedHeight(overlay.form))
  return overlay?.kind === 'confirm' || overlay?.kind === 'filter' ? 3 : 0
}

/** Lines of a form besides its fields: frame, title, problem. */
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
  const room = height + 2 - fixedHeight(form)
  const first = firstVisibleIndex(fields.length, form.field, room)
  return (
    <>
      <Text wrap="truncate" bold>
        {form.title}
      </Text>
      {fields.slice(first, first + room).map((field) => (
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
  here: boolean,
  columns: number,
  theme: Theme,
): string {
  const value = values[field.name] ?? ''
  const label = pad(field.label, 10)
  const head = here ? theme.accent(`${theme.symbols.pointer} ${label}`) : theme.dim(`  ${label}`)
  if (!here) return `${head}  ${value}`
  const hint = field.hint === undefined ? '' : theme.dim(`  ${field.hint}`)
  if (field.choices !== undefined) return `${head}${theme.selected(` ‹ ${value} › `)}${hint}`
  if (selected) return `${head}  ${theme.selected(truncate(sanitizeValue(value), columns - 14))}${hint}`
  return `${head}  ${inputText(value, cursor, columns - 14, theme)}${hint}`
}

/** The text with the cursor in it, as much of it as fits. */
function inputText(text: string, cursor: number, columns: number, theme: Theme): string {
  const letters =
    [...sanitizeValue(`${text}_`).slice(0, -1)].length === [...text].length ? [...text] : [...sanitizeValue(text)]
  const from = Math.max(0, cursor - columns + 1)
  const before = letters.slice(from, cursor).join('')
  const under = letters[cursor] ?? ' '
  return `${before}${theme.selected(under)}${letters.slice(cursor + 1, from + columns).join('')}`
}
