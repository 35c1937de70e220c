// Paths of requests where they do not fit: their end says what was asked for.
import { columnsOf, cut } from '../../terminal/cell-text.ts'

const ID = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/**
 * At most `columns` wide. First ids lose their ends, then what begins every path goes, then the middle:
 * `/v1/public/payments/1b2c3d4e…/refund`, `…/payments/1b2c3d4e…/refund`, `…/payments…/refund`.
 */
export function shortPath(path: string, columns: number): string {
  const withoutIds = path.replace(ID, '$1…')
  const choices = [path, withoutIds, withoutIds.replace(/^\/v1\/public(?=\/)/, '…')]
  return choices.find((each) => columnsOf(each) <= columns) ?? cutMiddle(choices[2] ?? path, columns)
}

function cutMiddle(text: string, columns: number): string {
  const letters = [...text]
  const verb = letters.slice(
    text.lastIndexOf('/') < 0 ? letters.length : [...text.slice(0, text.lastIndexOf('/'))].length,
  )
  const end = verb.slice(0, Math.floor((columns * 2) / 3)).join('')
  const begin = cut(text, columns - columnsOf(end))
  return begin.endsWith('…') ? `${begin}${end}` : cut(text, columns)
}
