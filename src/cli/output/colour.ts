// Whether a stream gets colour, decided per stream, and the few looks there are.

export const COLOUR_MODES = ['auto', 'always', 'never'] as const
export type ColourMode = (typeof COLOUR_MODES)[number]

type Look = (text: string) => string

export interface Paint {
  readonly dim: Look
  readonly bold: Look
  readonly good: Look
  readonly bad: Look
  readonly odd: Look
  readonly name: Look
}

type Env = Readonly<Record<string, string | undefined>>

/** 0: none; 1: 16 colours. The flag wins, then NO_COLOR, FORCE_COLOR, TERM=dumb, and last whether it is a terminal. */
export function colourLevel(mode: ColourMode, env: Env, isTerminal: boolean): 0 | 1 {
  if (mode !== 'auto') return mode === 'always' ? 1 : 0
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return 0
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced === '0' || forced === 'false' ? 0 : 1
  if (env['TERM'] === 'dumb') return 0
  return isTerminal ? 1 : 0
}

/** Whether text may be drawn over: on a terminal that can, unless a CI job writes it to a log. */
export function animates(env: Env, isTerminal: boolean): boolean {
  const { TERM, CI = '' } = env
  return isTerminal && TERM !== 'dumb' && ['', '0', 'false'].includes(CI)
}

const SAME: Look = (text) => text
export const PLAIN: Paint = { dim: SAME, bold: SAME, good: SAME, bad: SAME, odd: SAME, name: SAME }

/** Chalk is loaded only where there is colour. */
export async function createPaint(level: 0 | 1): Promise<Paint> {
  if (level === 0) return PLAIN
  const { Chalk } = await import('chalk')
  const { dim, bold, green, red, yellow, cyan } = new Chalk({ level })
  // Chalk paints every argument it is given; as an argument of `map` it would get the place and the list, too.
  const alone =
    (look: (...texts: string[]) => string): Look =>
    (text) =>
      look(text)
  return {
    dim: alone(dim),
    bold: alone(bold),
    good: alone(green),
    bad: alone(red),
    odd: alone(yellow),
    name: alone(cyan),
  }
}
