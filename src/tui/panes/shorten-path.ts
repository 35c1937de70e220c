// Paths of requests where they do not fit: their end says what was asked for.
import { displayWidth, truncate } from '../../terminal/text-width.ts'

const ID = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/**
 * At most `columns` wide. First ids lose their ends, then what begins every path goes, then the middle:
 * `/v1/public/payments/1b2c3d4e…/refund`, `…/payments/1b2c3d4e…/refund`, `…/payments…/refund`.
 */
export function shortenPath(path: string, columns: number): string {
  const withoutIds = path.replace(ID, '$1…')
  const choices = [path, withoutIds, withoutIds.replace(/^\/v1\/public(?=\/)/, '…')]
  return choices.find((each) => displayWidth(each) <= columns) ?? cutMiddle(choices[2] ?? path, columns)
}

/** Keeps what follows the last `/`, unless that is most of the text. */
function cutMiddle(text: string, columns: number): string {
  const end = text.slice(text.lastIndexOf('/'))
  const room = columns - displayWidth(end)
  return room < columns / 3 ? truncate(text, columns) : `${truncate(text, room)}${end}`
}
