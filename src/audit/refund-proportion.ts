// What refunds of 30 % and of 20 % must do to each number a probe gives.
import { changes, type Effect, type Judgement, RIGHT, short, told, unseen, wrong } from './effect.ts'
import { isOwnId, keyOf } from './value.ts'

/**
 * Refunds leave a count alone, step a count of events, or move a sum by three to two.
 *
 * @param amount of the payment, minor units
 */
export function inProportion(amount: number, paid: Effect, first: Effect, second: Effect): Judgement {
  const [whole, by, then] = [changes(paid), changes(first), changes(second)]
  const paths = [...then.keys()].filter((path) => by.has(path) && !isOwnId(path) && !/last/i.test(keyOf(path)))
  if (paths.length === 0) return unseen(`there is no number in it that refunds could move (${short(second.after)})`)
  const moves = paths.map((path): Moves => [path, whole.get(path) ?? 0, by.get(path) ?? 0, then.get(path) ?? 0])
  const odd = moves.filter((move) => !isStill(move) && !isRight(move))
  if (odd.length > 0) return wrong(odd.map(toldMoves).join('; '))
  if (moves.some((move) => !isStill(move))) return RIGHT
  const counts = moves.some(([, total]) => total !== 0 && ![amount, amount / 100].includes(total))
  if (paths.length === 1 && counts) return RIGHT
  return unseen(`refunds do not move its number${paths.length === 1 ? '' : 's'} ${namesOf(paths)}: ${told(paid)}`)
}

/** How far a number moved by the payment, by its refund of 30 % and by that of 20 %. */
type Moves = readonly [path: string, whole: number, by: number, then: number]

function isStill([, , by, then]: Moves): boolean {
  return by === 0 && then === 0
}

function isRight([, whole, by, then]: Moves): boolean {
  const near = (got: number, right: number) => Math.abs(got - right) <= Math.abs(right) * 0.01
  const counter = by === then && Math.abs(by) === 1 && (whole === 0 || whole === by)
  return counter || (whole === 0 ? near(then * 3, by * 2) : near(by, -0.3 * whole) && near(then, -0.2 * whole))
}

function toldMoves([path, whole, by, then]: Moves): string {
  const what = path === '$' ? 'the value' : path
  return `the payment moved ${what} by ${whole}, its refund of 30 % by ${by}, that of 20 % by ${then}`
}

function namesOf(paths: readonly string[]): string {
  return paths.filter((path) => path !== '$').join(', ')
}
