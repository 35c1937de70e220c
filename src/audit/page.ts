// Compares pages of the shop by what a buyer sees.

import { maskedLeaf, maskGeneratedIds } from './mask-values.ts'
import { fieldsOf } from './probe-fields.ts'
import type { SentIds } from './sent-ids.ts'

/** A page as a browser gets it, after all redirects. */
export interface Page {
  readonly status: number
  /** The path of the page, without its query. */
  readonly path: string
  readonly text: string
  /** The ids of the payment and the order that the page is about. */
  readonly sentIds: SentIds
}

/** Whether a body is a web page, which some sites return for every path. */
export function isWebPage(text: string): boolean {
  return /^\s*<(!doctype|html|head|body)/i.test(text)
}

/** The comparison of a third page with two pages that show different outcomes. */
export interface PageComparison {
  /** Pieces of the third page that the first page shows and the second does not. */
  readonly first: readonly string[]
  /** Pieces of the third page that the second page shows and the first does not. */
  readonly second: readonly string[]
  readonly areAlike: boolean
}

export function comparePages(first: Page, second: Page, third: Page): PageComparison {
  const [one, two, shown] = [piecesOf(first), piecesOf(second), piecesOf(third)]
  const onlyOne = [...one].filter((piece) => !two.has(piece))
  const onlyTwo = [...two].filter((piece) => !one.has(piece))
  return {
    first: onlyOne.filter((piece) => shown.has(piece)),
    second: onlyTwo.filter((piece) => shown.has(piece)),
    areAlike: onlyOne.length === 0 && onlyTwo.length === 0,
  }
}

/** Returns the status, path, texts and relevant attributes. Ids and times are masked. */
function piecesOf({ status, path, text, sentIds }: Page): ReadonlySet<string> {
  const pieces = [`status ${status}`, `at ${path}`, ...(isJson(text) ? fieldPieces(text, sentIds) : htmlPieces(text))]
  return new Set(pieces.map((piece) => masked(piece, sentIds)))
}

function masked(piece: string, sentIds: SentIds): string {
  return maskGeneratedIds(String(maskedLeaf('', piece, sentIds)))
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}

function fieldPieces(text: string, sentIds: SentIds): string[] {
  return [...fieldsOf(text, sentIds)].map(([path, leaf]) => `${path}: ${leaf}`)
}

/** Attributes that may distinguish outcomes if the text is the same, such as a class or the address of a picture. */
const ATTRIBUTE = /\s(class|alt|title|src|aria-label|data-[\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi

function htmlPieces(text: string): string[] {
  const visible = text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(script|style|template|noscript)\b[\s\S]*?<\/\1\s*>/gi, '\n')
  const attributes = [...visible.matchAll(/<[a-z][^>]*>/gi)].flatMap(([tag]) =>
    [...tag.matchAll(ATTRIBUTE)].map(([, name = '', quoted, single]) => `${name.toLowerCase()} ${quoted ?? single}`),
  )
  const texts = visible.replace(/<[^>]*>/g, '\n').split('\n')
  return [
    ...texts.map((line) => decoded(line).replace(/\s+/g, ' ').trim()).filter((line) => line !== ''),
    ...attributes,
  ]
}

const ENTITIES: { readonly [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|([a-z]+));/gi, (entity, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })
}
