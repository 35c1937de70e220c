// Rewrites errors of the API and of the connection, so that they name the flags of the command.
import { ApiError, ConnectionError, UnsendableHeaderError } from '../../client/errors.ts'
import { CORRECT_REQUEST } from '../../client/hints.ts'
import { closestEvent, closestName } from '../../domain/closest-name.ts'
import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { CliError, usageError } from '../failure.ts'
import type { FlagSet } from './flags.ts'

/** Headers that a flag sets. */
const HEADERS: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'idempotency_key',
}

interface CommandContext {
  readonly id?: unknown
  /** See `Session.isWithoutServer`. */
  readonly isWithoutServer?: boolean
}

const HINT_WITHOUT_LOG =
  'A rule, a fault, a magic value or --outcome may be the cause: `psp rules list`, `psp faults list`. While `psp serve` runs, `psp logs` shows which one.'

const REASON_IN_SERVER = 'The output of `psp serve` shows the reason and the fix.'
/** An embedded sandbox prints the reason as a warning before the error. */
const REASON_ABOVE = 'The warning above shows the reason and the fix.'

/**
 * Replaces the name of a field or header by that of its flag, and inserts the id into the commands of the hint. Without
 * a server, the hint says that `psp logs` needs one. After a lost response to a create, it says how to repeat it.
 */
export function toFlagNames(error: unknown, flags: FlagSet, context: CommandContext = {}): unknown {
  if (error instanceof UnsendableHeaderError) {
    const flag = flagNamed(flags, HEADERS[error.header] ?? error.header)
    return flag === undefined ? error : usageError(error.message.replace(error.header, flag), error.hint)
  }
  if (Object.hasOwn(flags, 'idempotency_key') && !(error instanceof ApiError)) return withRetryHint(error)
  if (!(error instanceof ApiError)) return error
  const [, name = ''] = /^([A-Za-z_-]+)(?=[: ])/.exec(error.message) ?? []
  const flag = flagNamed(flags, HEADERS[name] ?? name)
  const withFlag = flag === undefined ? error.message : `${flag}${error.message.slice(name.length)}`
  const message = context.isWithoutServer === true ? withFlag.replace(REASON_IN_SERVER, REASON_ABOVE) : withFlag
  return new ApiError(error.status, error.code, message, error.retryAfter, hintOf(error, context))
}

function hintOf({ message, hint }: ApiError, { id, isWithoutServer }: CommandContext): string {
  const near = suggestionIn(message)
  if (near !== undefined) return `Did you mean ${near}?`
  if (hint === CORRECT_REQUEST) return `${CORRECT_REQUEST.slice(0, -1)}; \`--help\` shows what each option takes.`
  const possible = isWithoutServer === true && hint.includes('`psp logs`') ? HINT_WITHOUT_LOG : hint
  return typeof id === 'string' ? withId(possible, id) : possible
}

function withId(hint: string, id: string): string {
  return hint
    .replace(/`(psp (?:payments|payouts) get)`/, (_, command) => `\`${command} ${id}\``)
    .replace('--object ID`', () => `--object ${id}\``)
}

/** Returns the nearest known name, if the error quotes an unknown name and lists the known names (`Codes are …`). */
export function suggestionIn(message: string): string | undefined {
  const [, quoted, field, listed = ''] =
    /(?:"([^"]+)"|[. ](\w+): unknown).*? are (.*?)(?:\.(?: |$)|$)/s.exec(message) ?? []
  // In `failed:<code>`, `duplicate:2` and `recipient_not_found (payouts only)` the name comes first.
  const known = listed.split(', ').map((form) => form.split(/[ :<|]/)[0] ?? '')
  const parts = (quoted ?? field)?.split(/[:@,]/).filter((part) => part.length > 3 && !known.includes(part))
  const isEvents = known.some((name) => (WEBHOOK_EVENTS as readonly string[]).includes(name))
  const near = (part: string) => (isEvents ? closestEvent(part) : closestName(part, known))
  return parts?.map(near).find((name) => name !== undefined)
}

/** `order_id` to `--order-id`. */
function flagNamed(flags: FlagSet, name: string): string | undefined {
  return Object.hasOwn(flags, name) ? /--[a-z-]+/.exec(flags[name]?.spelling ?? '')?.[0] : undefined
}

function withRetryHint(error: unknown): unknown {
  const key = ambiguousKey(error)
  if (key === undefined) return error
  return retryError(error, `The object may have been created. Run the same command again with ${flag(key)}`)
}

/** Returns one error for several failed creates. The hint lists the key of each request whose response was lost. */
export function mergeCreateErrors([first, ...more]: readonly unknown[]): unknown {
  const failures = [first, ...more]
  const keys = failures.map(ambiguousKey).filter((key) => key !== undefined)
  if (keys.length === 0) return first
  const error = failures.find((each) => ambiguousKey(each) !== undefined)
  const payments = keys.length === 1 ? 'One payment' : `${keys.length} payments`
  const each = keys.length === 1 ? 'again with' : 'once for each of'
  return retryError(
    error,
    `${payments} may have been created in addition to the reported number. Run the same command ${each} ${keys.map(flag).join(', ')} in place of --count`,
  )
}

/** Returns the Idempotency-Key of a request that was sent and got no response. */
function ambiguousKey(error: unknown): string | undefined {
  return error instanceof ConnectionError && error.sent ? error.idempotencyKey : undefined
}

const flag = (key: string) => `\`--idempotency-key ${key}\``

function retryError(error: unknown, how: string): CliError {
  return new CliError(
    'unreachable',
    error instanceof Error ? error.message : String(error),
    `${how}: the server returns the object it created, and creates no second one.`,
  )
}
