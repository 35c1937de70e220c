import type { Session } from '../../session.ts'
import { hasUnicode } from '../ui/has-unicode.ts'
import { type Found, ok, warn } from './checks-contract.ts'

/** The width for which help, tables and `psp ui` are designed. */
const ROOM = 80

export function checkTerminal({ host, out }: Session): Found {
  const { TERM = 'unset', NO_COLOR, FORCE_COLOR } = host.env
  const { isTTY, columns } = host.stdout
  const unicode = hasUnicode(host.env)
  const notes = [
    isTTY === true ? `${columns} columns` : 'no terminal',
    `TERM ${TERM}`,
    ...(NO_COLOR ? ['NO_COLOR'] : []),
    ...(FORCE_COLOR ? [`FORCE_COLOR ${FORCE_COLOR}`] : []),
    out.paint.dim('x') === 'x' ? 'no colour' : 'colour',
    unicode ? 'Unicode' : 'no Unicode',
  ]
  const found = notes.join(', ')
  if (isTTY === true && columns !== undefined && columns < ROOM) {
    return warn(
      found,
      `Widen it to ${ROOM} columns. Tables on a narrower terminal omit columns; --json shows all of them.`,
    )
  }
  if (isTTY === true && !unicode) {
    return warn(found, 'Set a UTF-8 locale, such as LANG=C.UTF-8. Cyrillic names and the frames of psp ui need it.')
  }
  return ok(found)
}
