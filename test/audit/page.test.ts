// Pages are compared by their status, path and texts, and by the attributes that may show an outcome.
import { expect, test } from 'vitest'
import { comparePages, type Page } from '../../src/audit/page.ts'

const page = (text: string, more: Partial<Page> = {}): Page => ({
  status: 200,
  path: '/thanks',
  text,
  sentIds: [],
  ...more,
})

/** Returns the pieces of a page that an empty page does not have. */
const piecesOf = (text: string) => comparePages(page(text), page(''), page(text)).first

test.each([
  ['<p> Your \t order  is <b>paid</b></p>\n\nThank   you', ['Your order is', 'paid', 'Thank you']],
  ['pa<!-- a <b>b</b>\nc -->id<!-- d e -->!', ['paid!']],
  ['a<script type="x">b c</script>d', ['a', 'd']],
  ['a<STYLE>b c</STYLE >d', ['a', 'd']],
  ['a<template>b c</template\n >d', ['a', 'd']],
  ['a<noscript>b</noscript>c<noscript>d</noscript>e', ['a', 'c', 'e']],
  ['&lt;b&gt; &#8381;&#x20bd; &AMP;&unknown;&nbsp;&#x10ffff;&#x110000;', ['<b> ₽₽ &&unknown; \u{10ffff}&#x110000;']],
])('the texts of the page %j are those that a buyer sees', (text, pieces) => {
  expect(piecesOf(text)).toEqual(pieces)
})

test('the attributes of a page that may show an outcome follow its texts', () => {
  const tag = `<img SRC="/paid.svg" alt='Paid' title="" data-state="ok" aria-label="Done" id="1" class="badge">`
  expect(piecesOf(`${tag}Paid`)).toEqual([
    'Paid',
    'src /paid.svg',
    'alt Paid',
    'title ',
    'data-state ok',
    'aria-label Done',
    'class badge',
  ])
})

test('the pieces of a JSON page are its fields', () => {
  expect(piecesOf(' {"state": "paid", "sums": [2, 1]}')).toEqual(['$.state: paid', '$.sums[0]: 1', '$.sums[1]: 2'])
})

test('a page is compared with the pieces that only one of two others has', () => {
  const paid = page('Order\nPaid')
  const failed = page('Order\nFailed', { status: 402, path: '/failed' })
  const other = page('Paid\nFailed\nNew', { path: '/failed' })
  expect(comparePages(paid, failed, other)).toEqual({
    first: ['status 200', 'Paid'],
    second: ['at /failed', 'Failed'],
    areAlike: false,
  })
  expect(comparePages(paid, page('Order'), failed).areAlike).toBe(false)
  expect(comparePages(page('Order'), paid, failed).areAlike).toBe(false)
  expect(comparePages(paid, paid, failed)).toEqual({ first: [], second: [], areAlike: true })
})

test('two pages that differ only in tags and empty lines show the same', () => {
  expect(comparePages(page('<p>\n Order </p>'), page('Order'), page('Paid'))).toEqual({
    first: [],
    second: [],
    areAlike: true,
  })
})
