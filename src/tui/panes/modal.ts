// Renders every overlay except the help, at the lower edge.
import { sanitizeLine } from '../../terminal/sanitize.ts'
import { pad, truncate } from '../../terminal/text-width.ts'
import { wrapWords } from '../../terminal/wrap-words.ts'
import type { Field, Form } from '../../view-model/forms/form.ts'
import { visibleFields } from '../../view-model/forms/form-fields.ts'
import { parseFilter } from '../../view-model/rows/filter.ts'
import type { PaneName } from '../../view-model/rows/rows.ts'
import { paletteItems } from '../keys/palette.ts'
import type { Overlay, Size, State } from '../state/state.ts'
import { renderLine, type Span } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { renderFrame } from './frame.ts'
import { bodyHeight, firstVisibleIndex } from './layout.ts'

/** Returns the height including the frame; 0 if there is no overlay, or for the help. */
export function modalHeight({ overlay, size, pane }: State): number {
  if (overlay?.kind === 'form')
    return Math.min(bodyHeight(size), visibleFields(overlay.form).length + fixedHeight(overlay.form, size))
  if (overlay?.kind === 'palette') return Math.min(bodyHeight(size), PALETTE_HEIGHT)
  if (overlay?.kind === 'filter')
    return Math.min(bodyHeight(size), 3 + filterHint(overlay.text, pane, modalWidth(size)).length)
  if (overlay?.kind === 'confirm')
    return Math.min(bodyHeight(size), 2 + questionLines(overlay.question, modalWidth(size)).length)
  return overlay?.kind === 'find' ? 3 : 0
}

function questionLines(question: string, width: number): readonly string[] {
  return wrapWords(sanitizeLine(question), width)
}

function modalWidth({ columns }: Size): number {
  return columns - 4
}

/** Returns the lines of a form except its fields: frame, title and problem. */
function fixedHeight(form: Form, size: Size): number {
  return 3 + problemLines(form, modalWidth(size)).length
}

/** Leaves two columns for the symbol in front of the problem. */
function problemLines({ problem }: Form, width: number): readonly string[] {
  return problem === undefined ? [] : wrapWords(sanitizeLine(problem), width - 2)
}

/** Returns `height` lines of the width of the screen. */
export function renderModal({ overlay, size, pane }: State, height: number, theme: Theme): readonly string[] {
  if (overlay === undefined) return []
  const { columns } = size
  const width = modalWidth(size)
  const lines = modalLines(overlay, pane, height - 2, width, theme).map((spans) => renderLine(spans, width, theme))
  const noText = { left: [], right: [] }
  return renderFrame(lines, noText, noText, columns, { style: 'accent', compact: false, theme })
}

function modalLines(
  overlay: Overlay,
  pane: PaneName,
  height: number,
  width: number,
  theme: Theme,
): readonly (readonly Span[])[] {
  switch (overlay.kind) {
    case 'form':
      return formLines(overlay.form, height, width, theme)
    case 'confirm':
      return questionLines(overlay.question, width).map((text): readonly Span[] => [[text, 'warning']])
    case 'filter':
      return [
        [['filter ', 'dim'], ...inputSpans(overlay.text, overlay.cursor, width - 8)],
        ...filterHint(overlay.text, pane, width).map((text): readonly Span[] => [[text, 'dim']]),
      ]
    case 'find':
      return [[['search ', 'dim'], ...inputSpans(overlay.text, overlay.cursor, width - 8)]]
    case 'palette':
      return paletteLines(overlay, height, width, theme)
    case 'help':
      return []
  }
}

/** The height of the palette, with its frame and its text field. */
const PALETTE_HEIGHT = 12

function paletteLines(
  { text, cursor, selected, readOnly }: Extract<Overlay, { kind: 'palette' }>,
  height: number,
  width: number,
  { symbols }: Theme,
): readonly (readonly Span[])[] {
  const items = paletteItems(text, readOnly)
  const first = firstVisibleIndex(items.length, selected, height - 1)
  const lines = items.slice(first, first + height - 1).map(({ shown, description }, index): readonly Span[] => {
    const isSelected = first + index === selected
    return [
      [`${isSelected ? symbols.pointer : ' '} ${pad(shown, 7)}`, 'accent'],
      [description, isSelected ? 'selected' : 'plain'],
    ]
  })
  const found = items.length === 0 ? [[['no command contains these words', 'dim']] satisfies readonly Span[]] : lines
  return [[[': ', 'dim'], ...inputSpans(text, cursor, width - 3)], ...found]
}

/** Shows what is wrong with the filter, or examples for the pane. */
function filterHint(text: string, pane: PaneName, width: number): readonly string[] {
  return wrapWords(parseFilter(text, pane).problem ?? `words, or ${FILTER_EXAMPLES[pane]}`, width)
}

const FILTER_EXAMPLES: Readonly<Record<PaneName, string>> = {
  payments: 'status=failed amount>1000 order~A-10 metadata.cart=7',
  payouts: 'status=pending amount>1000 phone~900',
  deliveries: 'failing=yes result=500 event=payment.*',
  requests: 'status>=400 path~refund ms>100',
  stream: 'kind=attempt what~500',
}

function formLines(form: Form, height: number, width: number, theme: Theme): readonly (readonly Span[])[] {
  const fields = visibleFields(form)
  const problem = problemLines(form, width)
  const visibleCount = Math.max(1, height - 1 - problem.length)
  const first = firstVisibleIndex(fields.length, form.field, visibleCount)
  return [
    [[sanitizeLine(form.title), 'bold']],
    ...fields
      .slice(first, first + visibleCount)
      .map((field) => fieldSpans(form, field, field === fields[form.field], width, theme)),
    ...problem.map((text, at): readonly Span[] => [
      [`${at === 0 ? theme.symbols.status.failure : ' '} ${text}`, 'failure'],
    ]),
  ]
}

function fieldSpans(
  { values, cursor, selected }: Form,
  field: Field,
  isFocused: boolean,
  width: number,
  { symbols }: Theme,
): readonly Span[] {
  const value = values[field.name] ?? ''
  const label = pad(field.label, 10)
  if (!isFocused) return [[`  ${label}`, 'dim'], `  ${sanitizeLine(value)}`]
  const prefix: Span = [`${symbols.pointer} ${label}`, 'accent']
  const help = field.hint ?? field.terminalHint
  const hint: Span = [help === undefined ? '' : `  ${help}`, 'dim']
  if (field.choices !== undefined) return [prefix, [` ‹ ${value} › `, 'selected'], hint]
  const shown: readonly Span[] = selected
    ? [[truncate(sanitizeLine(value), width - 14), 'selected']]
    : inputSpans(value, cursor, width - 14)
  return [prefix, '  ', ...shown, hint]
}

/** Shows the text around the cursor that fits into `columns`. */
function inputSpans(text: string, cursor: number, columns: number): readonly Span[] {
  const characters =
    [...sanitizeLine(`${text}_`).slice(0, -1)].length === [...text].length ? [...text] : [...sanitizeLine(text)]
  const from = Math.max(0, cursor - columns + 1)
  return [
    characters.slice(from, cursor).join(''),
    [characters[cursor] ?? ' ', 'selected'],
    characters.slice(cursor + 1, from + columns).join(''),
  ]
}
