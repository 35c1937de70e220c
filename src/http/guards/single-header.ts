// Headers that have one value: which of two would count, caller and server might see differently.
import { refuse } from '../../domain/errors.ts'
import { headerText } from '../../domain/header-text.ts'
import { type Exchange, header } from '../app-env.ts'

/**
 * The text of a request header that may stand there once.
 * @param name as the documents spell it
 * @throws RefusalError `bad_request` where it was sent more than once
 */
export function singleHeader(c: Exchange, name: string): string | undefined {
  const lower = name.toLowerCase()
  const value = header(c, lower)
  if (value === undefined) return undefined
  if (timesSent(c, lower, value) < 2) return headerText(value)
  throw refuse('bad_request', `${name}: expected one header, got several. Send it once.`)
}

/** Node joins some headers and drops the rest of others, so its list as sent is asked; `Headers` keep only what is joined. */
function timesSent(c: Exchange, name: string, value: string): number {
  const raw = c.env?.incoming?.rawHeaders
  if (raw === undefined) return countJoinedValues(value)
  let times = 0
  for (let i = 0; i < raw.length; i += 2) {
    const sent = raw[i] as string
    if (sent.length === name.length && sent.toLowerCase() === name) times++
  }
  return times
}

/** A comma within quotes belongs to the value. */
function countJoinedValues(value: string): number {
  return value.includes(', ') ? value.replace(/"[^"]*"/g, '').split(', ').length : 1
}
