// Shows JSON with one value per line. Objects and lists can be folded.
import { sanitizeText } from '../../terminal/sanitize.ts'
import { displayWidth, hardWrap } from '../../terminal/text-width.ts'
import type { BodyContent } from '../../view-model/detail/blocks.ts'
import { type JsonLine, outlineJson } from '../../view-model/detail/json-text.ts'
import type { Folding } from '../state/state.ts'
import type { Span, StyledLines } from '../theme/styled-line.ts'
import type { StyleName, Symbols } from '../theme/theme.ts'

export interface LineContext {
  readonly width: number
  readonly symbols: Symbols
  readonly folding: Pick<Folding, 'all' | 'toggled'>
}

/** Characters to show. `psp webhooks deliveries get` and `psp logs` show the whole body. */
const MAX_BODY_LENGTH = 16 * 1024

/** Columns for the symbol of a foldable value. */
const GUTTER = 2

/**
 * Shows a body. JSON is indented, with a note if it was sent on one line. Other text is wrapped.
 * @param bodyId identifies the body in its detail
 */
export function bodyLines(body: BodyContent, indent: string, context: LineContext, bodyId: string): StyledLines {
  const text = body.isBase64 ? `base64 ${body.text}` : body.text
  if (text === '') return [[[`${indent}(no body)`, 'dim']]]
  const outline = body.isBase64 ? undefined : outlineBody(text, context, bodyId)
  if (outline === undefined) {
    const shown = plainLines(text.slice(0, MAX_BODY_LENGTH), context.width - indent.length)
    return [...shown.map((piece): readonly Span[] => [indent, piece]), ...lengthNote(text, indent)]
  }
  const note: StyledLines =
    outline.length === 1 || text.includes('\n') ? [] : [[[`${indent}(indented here: the bytes are one line)`, 'dim']]]
  return [...note, ...jsonLines(outline, indent, context, bodyId), ...lengthNote(textOf(outline), indent, text)]
}

/** Shows indented JSON, or the text unchanged if it is not JSON. */
export function messageLines(text: string, context: LineContext): StyledLines {
  const outline = outlineBody(text, context, '')
  return outline === undefined
    ? plainLines(text, context.width).map((piece) => [piece])
    : jsonLines(outline, '', context, '')
}

function outlineBody(text: string, { folding }: LineContext, bodyId: string): readonly JsonLine[] | undefined {
  return outlineJson(text, (node, depth) => folding.toggled.has(nodeId(bodyId, node)) !== (folding.all && depth > 0))
}

function nodeId(bodyId: string, node: number): string {
  return `${bodyId}#${node}`
}

function textOf(lines: readonly JsonLine[]): string {
  return lines.map(({ text }) => text).join('\n')
}

function lengthNote(shown: string, indent: string, text = shown): StyledLines {
  return shown.length <= MAX_BODY_LENGTH ? [] : [[[`${indent}(${text.length} characters in total)`, 'dim']]]
}

function plainLines(text: string, width: number): readonly string[] {
  return hardWrap(sanitizeText(text).replaceAll('\t', '  '), width)
}

function jsonLines(outline: readonly JsonLine[], indent: string, context: LineContext, bodyId: string): StyledLines {
  const gutter = Math.max(0, indent.length - GUTTER)
  let remaining = MAX_BODY_LENGTH
  return outline.flatMap(({ depth, text, node, isFolded }): StyledLines => {
    const shown = text.slice(0, Math.max(0, remaining))
    remaining -= text.length + 1
    if (shown === '') return []
    const [head = [], ...more] = wrapJson(shown, context.width - gutter - GUTTER - 2 * depth)
    const { open, closed } = context.symbols.folds
    const mark: Span =
      node === undefined ? ' '.repeat(GUTTER) : [`${isFolded ? closed : open} `, 'dim', nodeId(bodyId, node)]
    const space = ' '.repeat(gutter + 2 * depth)
    return [[space, mark, ...head], ...more.map((spans): readonly Span[] => [space, ' '.repeat(GUTTER), ...spans])]
  })
}

/** The columns by which a wrapped value is indented below its key. */
const HANGING_INDENT = 2

/** Colours a line of JSON, and wraps it without losing a character. A value that is too wide begins below its key. */
function wrapJson(line: string, width: number): readonly (readonly Span[])[] {
  if (displayWidth(sanitizeText(line)) <= width) return [jsonSpans(sanitizeText(line))]
  const key = /^"(?:[^"\\]|\\.)*": (?=.)/.exec(line)?.[0] ?? ''
  const style: StyleName = jsonSpans(line).findLast((span) => typeof span !== 'string')?.[1] ?? 'plain'
  const indent = key === '' ? '' : ' '.repeat(HANGING_INDENT)
  const value = plainLines(line.slice(key.length), width - indent.length)
  const pieces = isLonePunctuation(value.at(-1)) ? plainLines(line.slice(key.length), width - indent.length - 2) : value
  return [
    ...(key === '' ? [] : plainLines(key, width).map(jsonSpans)),
    ...pieces.map((piece): readonly Span[] => [indent, [piece, style]]),
  ]
}

function isLonePunctuation(piece = ''): boolean {
  return /^["\]},]{1,2}$/.test(piece)
}

// A key, then a string, a number, `true`, `false` or `null`.
const JSON_LINE = /^("(?:[^"\\]|\\.)*"(?=:))?(:\s?)?("(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|true|false|null)?(.*)$/s

function jsonSpans(line: string): readonly Span[] {
  const [, key = '', colon = '', value = '', rest = ''] = JSON_LINE.exec(line) ?? []
  const style: StyleName = value.startsWith('"') ? 'success' : /^(?:true|false|null)$/.test(value) ? 'dim' : 'warning'
  return [[key, 'accent'], colon, [value, style], rest]
}
