// Decides whether a stream gets colour, and defines the text styles and the colour of each status.
import { isSuccess } from '../../domain/http-response.ts'

export const COLOUR_MODES = ['auto', 'always', 'never'] as const
export type ColourMode = (typeof COLOUR_MODES)[number]

type Style = (text: string) => string

export interface Paint {
  readonly dim: Style
  readonly bold: Style
  readonly good: Style
  readonly bad: Style
  readonly warn: Style
  readonly name: Style
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns 0 for no colour, 1 for 16 colours. A mode other than `auto` decides, then NO_COLOR, then FORCE_COLOR, then
 * TERM=dumb, and last whether the stream is a terminal.
 */
export function colourLevel(mode: ColourMode, env: Env, isTerminal: boolean): 0 | 1 {
  if (mode !== 'auto') return mode === 'always' ? 1 : 0
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return 0
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced === '0' || forced === 'false' ? 0 : 1
  if (env['TERM'] === 'dumb') return 0
  return isTerminal ? 1 : 0
}

/** Whether the stream can show animation: it is a terminal that can move its cursor, and not the log of a CI job. */
export function animates(env: Env, isTerminal: boolean): boolean {
  const { TERM, CI = '' } = env
  return isTerminal && TERM !== 'dumb' && ['', '0', 'false'].includes(CI)
}

const UNSTYLED: Style = (text) => text
export const PLAIN: Paint = {
  dim: UNSTYLED,
  bold: UNSTYLED,
  good: UNSTYLED,
  bad: UNSTYLED,
  warn: UNSTYLED,
  name: UNSTYLED,
}

/** Loads chalk only if colour is used. */
export async function createPaint(level: 0 | 1): Promise<Paint> {
  if (level === 0) return PLAIN
  const { Chalk } = await import('chalk')
  const { dim, bold, green, red, yellow, cyan } = new Chalk({ level })
  // Chalk styles all of its arguments. As a callback of `map` it would also receive the index and the array.
  const oneText =
    (style: (...texts: string[]) => string): Style =>
    (text) =>
      style(text)
  return {
    dim: oneText(dim),
    bold: oneText(bold),
    good: oneText(green),
    bad: oneText(red),
    warn: oneText(yellow),
    name: oneText(cyan),
  }
}

const GOOD: ReadonlySet<string> = new Set(['succeeded', 'delivered', 'refunded', 'ok', 'pass', 'active'])
const BAD: ReadonlySet<string> = new Set(['failed', 'exhausted', 'expired', 'fail', 'revoked'])

export function paintStatus(paint: Paint, status: string): string {
  if (GOOD.has(status)) return paint.good(status)
  return BAD.has(status) ? paint.bad(status) : paint.warn(status)
}

export function paintHttp(paint: Paint, status: number): string {
  if (isSuccess(status)) return paint.good(String(status))
  return status >= 500 ? paint.bad(String(status)) : paint.warn(String(status))
}

/**
 * Returns whether the terminal shows Unicode: not if TERM is `linux`, otherwise according to the locale. Without a
 * locale, it is assumed to do so.
 */
export function hasUnicode(env: Env): boolean {
  if (env['TERM'] === 'linux') return false
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return locale === '' || /utf-?8/i.test(locale)
}
