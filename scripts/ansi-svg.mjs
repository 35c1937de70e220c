// Converts a captured terminal screen with SGR sequences to an SVG picture. Text in one style becomes one `<text>`.
import stringWidth from 'string-width'

const CELL = { width: 8.4, height: 18 }
const MARGIN = 12
const FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace'

/** A dark palette: the eight colours of a terminal, the text colour and the background. */
const COLOURS = ['#484f58', '#ff7b72', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#e6edf3']
const TEXT = '#d1d7e0'
const BACKGROUND = '#0d1117'

/** @param title the text that a screen reader reads instead of the picture */
export function ansiToSvg(screen, title) {
  const lines = screen.replace(/\n+$/, '').split('\n').map(splitRuns)
  const columns = Math.max(...lines.map((runs) => runs.reduce((sum, { columns }) => sum + columns, 0)))
  const width = round(columns * CELL.width + 2 * MARGIN)
  const height = lines.length * CELL.height + 2 * MARGIN
  const elements = lines.flatMap((runs, row) => drawLine(runs, MARGIN + row * CELL.height))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}" font-family="${FONT}" font-size="14">`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    ...elements,
    '</svg>',
    '',
  ].join('\n')
}

function drawLine(runs, top) {
  let column = 0
  return runs.flatMap(({ text, columns, style }) => {
    const x = round(MARGIN + column * CELL.width)
    const length = round(columns * CELL.width)
    column += columns
    const [front, back] = style.inverse ? [BACKGROUND, style.colour ?? TEXT] : [style.colour ?? TEXT, undefined]
    const background =
      back === undefined ? [] : [`<rect x="${x}" y="${top}" width="${length}" height="${CELL.height}" fill="${back}"/>`]
    if (text.trim() === '') return background
    const attributes = `${style.bold ? ' font-weight="bold"' : ''}${style.dim ? ' opacity="0.6"' : ''}`
    return [
      ...background,
      `<text x="${x}" y="${top + 14}" textLength="${length}" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="${front}"${attributes}>${escapeXml(text)}</text>`,
    ]
  })
}

/** Splits a line into runs of one style. */
function splitRuns(line) {
  const runs = []
  let style = {}
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it parses escape sequences
  for (const [, codes, text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    if (text === undefined) style = codes.split(';').map(Number).reduce(applyCode, style)
    else runs.push({ text, columns: stringWidth(text), style })
  }
  return runs
}

function applyCode(style, code) {
  if (code === 0) return {}
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 7) return { ...style, inverse: true }
  if (code === 22) return { ...style, bold: false, dim: false }
  if (code === 27) return { ...style, inverse: false }
  if (code === 39) return { ...style, colour: undefined }
  return code >= 30 && code <= 37 ? { ...style, colour: COLOURS[code - 30] } : style
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function round(value) {
  return Math.round(value * 10) / 10
}
