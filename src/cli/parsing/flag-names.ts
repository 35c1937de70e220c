// A refusal speaks of fields and headers; the person typed flags.
import { ApiError, UnsendableHeaderError } from '../../client/errors.ts'
import { CORRECT } from '../../client/hints.ts'
import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { nearest } from '../../domain/nearest.ts'
import { nearestEvent } from '../../domain/nearest-event.ts'
import { usage } from '../failure.ts'
import { withRetry } from '../target/ambiguous-create.ts'
import type { FlagSet } from './flags.ts'

/** Headers that a flag stands for. */
const HEADERS: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'idempotency_key',
}

interface Circumstances {
  readonly id?: unknown
  /** No server runs: the command worked on the data folder itself. */
  readonly unserved?: boolean
}

const UNSERVED =
  'A rule, a fault, a magic value or --outcome may have decided so: `psp rules list`, `psp faults list`. While `psp serve` runs, `psp logs` says which.'

/**
 * The same error, with the flag's name where it begins with that of a field or header the command has a flag for, and
 * with the id that was typed where the hint names a command that takes it, and without a log where no server keeps one.
 */
export function inOwnWords(error: unknown, flags: FlagSet, { id, unserved }: Circumstances = {}): unknown {
  if (error instanceof UnsendableHeaderError) {
    const flag = longOf(flags, HEADERS[error.header] ?? error.header)
    return flag === undefined ? error : usage(error.message.replace(error.header, flag), error.hint)
  }
  if (Object.hasOwn(flags, 'idempotency_key') && !(error instanceof ApiError)) return withRetry(error)
  if (!(error instanceof ApiError)) return error
  const [, name = ''] = /^([A-Za-z_-]+)(?=[: ])/.exec(error.message) ?? []
  const flag = longOf(flags, HEADERS[name] ?? name)
  const message = flag === undefined ? error.message : `${flag}${error.message.slice(name.length)}`
  const asked =
    error.hint === CORRECT ? `${CORRECT.slice(0, -1)}; \`--help\` shows what each option takes.` : error.hint
  const told = unserved === true && asked.includes('`psp logs`') ? UNSERVED : asked
  const hint = typeof id === 'string' ? withId(told, id) : told
  const near = listedNear(error.message)
  return new ApiError(
    error.status,
    error.code,
    message,
    error.retryAfter,
    near === undefined ? hint : `Did you mean ${near}?`,
  )
}

function withId(hint: string, id: string): string {
  return hint.replace(/`(psp (?:payments|payouts) get)`/, `\`$1 ${id}\``)
}

/** Where a refusal quotes a name and then lists the known ones (`Codes are …`): the nearest of those. */
export function listedNear(message: string): string | undefined {
  const [, quoted, field, listed = ''] =
    /(?:"([^"]+)"|[. ](\w+): unknown).*? are (.*?)(?:\.(?: |$)|$)/s.exec(message) ?? []
  // `failed:<code>`, `duplicate:2`: what stands before the value is the name.
  const known = listed.split(', ').map((form) => form.split(/[:<|]/)[0] ?? '')
  const parts = (quoted ?? field)?.split(/[:@,]/).filter((part) => part.length > 3 && !known.includes(part))
  const isEvents = known.some((name) => (WEBHOOK_EVENTS as readonly string[]).includes(name))
  const near = (part: string) => (isEvents ? nearestEvent(part) : nearest(part, known))
  return parts?.map(near).find((name) => name !== undefined)
}

/** `order_id` to `--order-id`. */
function longOf(flags: FlagSet, name: string): string | undefined {
  return Object.hasOwn(flags, name) ? /--[a-z-]+/.exec(flags[name]?.spelling ?? '')?.[0] : undefined
}
