// Checks how refunds of 30 % and of 20 % change each number of a probe.
import { changes, type Effect, formatEffect, type Judgement, RIGHT, truncate, unseen, wrong } from './effect.ts'
import { isOwnId, keyOf } from './value.ts'

/**
 * Refunds do not change a count of payments. They change a count of events by one, and a sum in the ratio three to two.
 *
 * @param amount the amount of the payment, in minor units
 */
export function judgeProportion(amount: number, paid: Effect, first: Effect, second: Effect): Judgement {
  const [whole, by, then] = [changes(paid), changes(first), changes(second)]
  const paths = [...then.keys()].filter((path) => by.has(path) && !isOwnId(path) && !/last/i.test(keyOf(path)))
  if (paths.length === 0) return unseen(`none of its numbers can show a refund (${truncate(second.after)})`)
  const moves = paths.map((path): Deltas => [path, whole.get(path) ?? 0, by.get(path) ?? 0, then.get(path) ?? 0])
  const odd = moves.filter((move) => !isUnchanged(move) && !isRight(move))
  if (odd.length > 0) return wrong(odd.map(formatDeltas).join('; '))
  if (moves.some((move) => !isUnchanged(move))) return RIGHT
  const counts = moves.some(([, total]) => total !== 0 && ![amount, amount / 100].includes(total))
  if (paths.length === 1 && counts) return RIGHT
  return unseen(
    `refunds do not change its number${paths.length === 1 ? '' : 's'} ${namesOf(paths)}: ${formatEffect(paid)}`,
  )
}

/** How much a number changed with the payment, with its refund of 30 % and with that of 20 %. */
type Deltas = readonly [path: string, whole: number, by: number, then: number]

function isUnchanged([, , by, then]: Deltas): boolean {
  return by === 0 && then === 0
}

function isRight([, whole, by, then]: Deltas): boolean {
  const near = (got: number, right: number) => Math.abs(got - right) <= Math.abs(right) * 0.01
  const counter = by === then && Math.abs(by) === 1 && (whole === 0 || whole === by)
  return counter || (whole === 0 ? near(then * 3, by * 2) : near(by, -0.3 * whole) && near(then, -0.2 * whole))
}

function formatDeltas([path, whole, by, then]: Deltas): string {
  const what = path === '$' ? 'the value' : path
  return `the payment changed ${what} by ${whole}, its refund of 30 % by ${by}, that of 20 % by ${then}`
}

function namesOf(paths: readonly string[]): string {
  return paths.filter((path) => path !== '$').join(', ')
}
