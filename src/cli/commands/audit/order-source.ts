// Supplies the orders of an exploration: the orders of `--order-id`, orders that the shop creates, or generated ids.
import type { FetchLike } from '../../../client/fetch-like.ts'
import { isSuccess } from '../../../domain/http-response.ts'
import { describeFailure } from '../../../domain/receiver-failures.ts'
import { type ExplorePorts, requireNewOrders } from '../../../explore/explore-ports.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import { CliError } from '../../failure.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { Session } from '../../session.ts'
import type { AUDIT_FLAGS } from '../audit.ts'
import { addressOf } from './probe.ts'
import { ORDER_FAILED } from './run.ts'
import { runShellCommand } from './shell-command.ts'

type Flags = Pick<FlagValues<typeof AUDIT_FLAGS>, 'order_id' | 'order_cmd' | 'order_url'>
type OrderSource = (amount: number) => Promise<string | undefined>

const TIMEOUT = 15_000

/** @returns a function that returns the id of an unused order, or `undefined` if all orders of `--order-id` are used */
export function createOrderSource(
  handler: string,
  { order_id, order_cmd, order_url }: Flags,
  random: ExplorePorts['random'],
  fetch: FetchLike,
  session: Session,
): OrderSource {
  const repeatedOrderError = (flag: string) => (id: string) =>
    orderError(
      `${flag} returned the order ${sanitizeLine(id).slice(0, 80)} twice.`,
      'Let it create a new order each time.',
    )
  if (order_cmd !== undefined)
    return requireNewOrders((amount) => orderOfCommand(order_cmd, amount, session), repeatedOrderError('--order-cmd'))
  if (order_url !== undefined) {
    const url = addressOf(order_url, handler)
    return requireNewOrders((amount) => orderOfShop(url, amount, fetch, session), repeatedOrderError('--order-url'))
  }
  const given = [...new Set(order_id)]
  let next = 0
  return given.length > 0 ? async () => given[next++] : async () => `explore-${random.token(12)}`
}

async function orderOfCommand(command: string, amount: number, session: Session): Promise<string> {
  const result = await runShellCommand(command, { PSP_ORDER_AMOUNT: String(amount) }, TIMEOUT, session)
  const id = result?.text.trim().split('\n').at(-1)?.trim() ?? ''
  if (result !== undefined && result.failure === undefined && id !== '') return id
  const why =
    result === undefined ? 'did not end within 15 s' : `exited with ${result.failure ?? '0 and printed nothing'}`
  throw orderError(`The order command ${why}.`, 'Run it yourself: it must print the id of a new order.')
}

/** Posts the amount in minor units. The response is the id as text, or JSON with `order_id` or `id`. */
async function orderOfShop(url: string, amount: number, fetch: FetchLike, { host }: Session): Promise<string> {
  const controller = new AbortController()
  const deadline = host.systemClock.setTimeout(() => controller.abort(), TIMEOUT)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ amount, currency: 'RUB' }),
      signal: controller.signal,
    })
    const text = await response.text()
    const id = isSuccess(response.status) ? orderIdIn(text) : ''
    if (id !== '') return id
    throw orderError(
      `${url} responded ${response.status} without the id of an order.`,
      'It must respond 2xx with the id as text, or with JSON that has order_id or id.',
    )
  } catch (error) {
    if (error instanceof CliError) throw error
    throw orderError(describeFailure(error, url, 'waiting'), 'Check the URL of --order-url.')
  } finally {
    deadline.cancel()
  }
}

function orderError(message: string, hint: string): CliError {
  return new CliError('failed', message, hint, ORDER_FAILED)
}

function orderIdIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return String(value ?? '')
    const { order_id, id } = value as { order_id?: unknown; id?: unknown }
    return String(order_id ?? id ?? '')
  } catch {
    return text.trim()
  }
}
