// Shortens the paths of requests. The end of a path is kept, because it names the operation.
import { displayWidth, truncate } from '../../terminal/text-width.ts'

const ID = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/**
 * Limits a path to `columns`. It first shortens ids, then removes the common prefix, then the middle:
 * `/v1/public/payments/1b2c3d4e…/refund`, `…/payments/1b2c3d4e…/refund`, `…/payments…/refund`.
 */
export function shortenPath(path: string, columns: number): string {
  const withoutIds = path.replace(ID, '$1…')
  const choices = [path, withoutIds, withoutIds.replace(/^\/v1\/public(?=\/)/, '…')]
  return choices.find((each) => displayWidth(each) <= columns) ?? cutMiddle(choices[2] ?? path, columns)
}

/** Keeps the part after the last `/`, unless it fills more than two thirds of the width. */
function cutMiddle(text: string, columns: number): string {
  const end = text.slice(text.lastIndexOf('/'))
  const room = columns - displayWidth(end)
  return room < columns / 3 ? truncate(text, columns) : `${truncate(text, room)}${end}`
}
