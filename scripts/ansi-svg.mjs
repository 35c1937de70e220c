// A captured terminal screen as an SVG picture: text with SGR sequences in, one `<text>` for each run of one look out.
import stringWidth from 'string-width'

const CELL = { width: 8.4, height: 18 }
const MARGIN = 12
const FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace'

/** A dark palette; the eight colours of a terminal, then the plain text's and the ground's. */
const COLOURS = ['#484f58', '#ff7b72', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#e6edf3']
const TEXT = '#d1d7e0'
const GROUND = '#0d1117'

/** @param title read out instead of the picture */
export function ansiToSvg(screen, title) {
  const lines = screen.replace(/\n+$/, '').split('\n').map(runsOf)
  const columns = Math.max(...lines.map((runs) => runs.reduce((sum, { wide }) => sum + wide, 0)))
  const width = round(columns * CELL.width + 2 * MARGIN)
  const height = lines.length * CELL.height + 2 * MARGIN
  const drawn = lines.flatMap((runs, row) => drawLine(runs, MARGIN + row * CELL.height))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="${FONT}" font-size="14">`,
    `<rect width="100%" height="100%" rx="8" fill="${GROUND}"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n')
}

function drawLine(runs, top) {
  let column = 0
  return runs.flatMap(({ text, wide, look }) => {
    const x = round(MARGIN + column * CELL.width)
    const length = round(wide * CELL.width)
    column += wide
    const [front, back] = look.reversed ? [GROUND, look.colour ?? TEXT] : [look.colour ?? TEXT, undefined]
    const ground =
      back === undefined ? [] : [`<rect x="${x}" y="${top}" width="${length}" height="${CELL.height}" fill="${back}"/>`]
    if (text.trim() === '') return ground
    const style = `${look.bold ? ' font-weight="bold"' : ''}${look.dim ? ' opacity="0.6"' : ''}`
    return [
      ...ground,
      `<text x="${x}" y="${top + 14}" textLength="${length}" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="${front}"${style}>${escaped(text)}</text>`,
    ]
  })
}

/** Pieces of one look each. */
function runsOf(line) {
  const runs = []
  let look = {}
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences are what is read
  for (const [, codes, text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    if (text === undefined) look = codes.split(';').map(Number).reduce(changed, look)
    else runs.push({ text, wide: stringWidth(text), look })
  }
  return runs
}

function changed(look, code) {
  if (code === 0) return {}
  if (code === 1) return { ...look, bold: true }
  if (code === 2) return { ...look, dim: true }
  if (code === 7) return { ...look, reversed: true }
  if (code === 22) return { ...look, bold: false, dim: false }
  if (code === 27) return { ...look, reversed: false }
  if (code === 39) return { ...look, colour: undefined }
  return code >= 30 && code <= 37 ? { ...look, colour: COLOURS[code - 30] } : look
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function round(value) {
  return Math.round(value * 10) / 10
}
