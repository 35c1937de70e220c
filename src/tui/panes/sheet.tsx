// What is asked at the lower edge: a form, a question, a filter. The list stays in view above it.
import { StatusMessage } from '@inkjs/ui'
import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import { pad, truncate } from '../../terminal/text-width.ts'
import { shownFields } from '../forms/fields.ts'
import type { Field, Form } from '../forms/form.ts'
import { stranger } from '../looks/line.ts'
import type { Looks } from '../looks/looks.ts'
import type { Overlay, State } from '../state/state.ts'
import { bodyHeight, firstShown } from './geometry.ts'

/** Lines a sheet takes, its frame included; 0 where the overlay is no sheet. */
export function sheetHeight({ overlay, size }: State): number {
  if (overlay?.kind === 'form')
    return Math.min(bodyHeight(size), shownFields(overlay.form).length + around(overlay.form))
  return overlay?.kind === 'confirm' || overlay?.kind === 'filter' ? 3 : 0
}

/** Lines of a form besides its fields: frame, title, problem. */
function around({ problem }: Form): number {
  return problem === undefined ? 3 : 4
}

interface SheetProps {
  readonly height: number
  readonly columns: number
  readonly looks: Looks
}

export function Sheet({ overlay, height, columns, looks }: SheetProps & { readonly overlay: Overlay }): ReactNode {
  const ascii = looks.marks.across === '-'
  return (
    <Box
      flexDirection="column"
      width={columns}
      borderStyle={ascii ? 'classic' : 'round'}
      borderColor={looks.borderColour}
      paddingX={1}
    >
      <Inside overlay={overlay} height={height - 2} columns={columns - 4} looks={looks} />
    </Box>
  )
}

function Inside({ overlay, height, columns, looks }: SheetProps & { readonly overlay: Overlay }): ReactNode {
  switch (overlay.kind) {
    case 'form':
      return <FormFields form={overlay.form} height={height} columns={columns} looks={looks} />
    case 'confirm':
      return <Text>{`${looks.odd(truncate(stranger(overlay.question), columns - 5))}  ${looks.bold('y/N')}`}</Text>
    case 'filter':
      return (
        <Text wrap="truncate">{`${looks.dim('filter ')}${typedText(overlay.text, overlay.cursor, columns - 8, looks)}`}</Text>
      )
    case 'help':
      return null
  }
}

function FormFields({ form, height, columns, looks }: SheetProps & { readonly form: Form }): ReactNode {
  const fields = shownFields(form)
  const room = height + 2 - around(form)
  const first = firstShown(fields.length, form.field, room)
  return (
    <>
      <Text wrap="truncate" bold>
        {form.title}
      </Text>
      {fields.slice(first, first + room).map((field) => (
        <Text key={field.name} wrap="truncate">
          {fieldText(form, field, field === fields[form.field], columns, looks)}
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
  looks: Looks,
): string {
  const value = values[field.name] ?? ''
  const label = pad(field.label, 10)
  const head = here ? looks.name(`${looks.marks.pointer} ${label}`) : looks.dim(`  ${label}`)
  if (!here) return `${head}  ${value}`
  const hint = field.hint === undefined ? '' : looks.dim(`  ${field.hint}`)
  if (field.choices !== undefined) return `${head}${looks.chosen(` ‹ ${value} › `)}${hint}`
  if (selected) return `${head}  ${looks.chosen(truncate(stranger(value), columns - 14))}${hint}`
  return `${head}  ${typedText(value, cursor, columns - 14, looks)}${hint}`
}

/** The text with the cursor in it, as much of it as fits. */
function typedText(text: string, cursor: number, columns: number, looks: Looks): string {
  const letters = [...stranger(`${text}_`).slice(0, -1)].length === [...text].length ? [...text] : [...stranger(text)]
  const from = Math.max(0, cursor - columns + 1)
  const before = letters.slice(from, cursor).join('')
  const under = letters[cursor] ?? ' '
  return `${before}${looks.chosen(under)}${letters.slice(cursor + 1, from + columns).join('')}`
}
