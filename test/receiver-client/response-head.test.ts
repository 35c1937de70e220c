// The limits of a response head, one below and one above.
import { describe, expect, test } from 'vitest'
import { createResponseHead } from '../../src/receiver-client/response-head.ts'

const KIB = 1024
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const FINAL = 'HTTP/1.1 200 OK\r\n\r\n'

const read = (...texts: string[]) => {
  const head = createResponseHead()
  return texts.map((text) => head.read(Buffer.from(text, 'latin1')).toString('latin1'))
}

/** Returns a head with this number of bytes, its empty line included. */
function headOf(bytes: number): string {
  const start = 'HTTP/1.1 200 OK\r\nA: '
  return `${start}${'x'.repeat(bytes - start.length - 4)}\r\n\r\n`
}

describe('informational responses', () => {
  test('up to 1,000 are dropped', () => {
    expect(read(CONTINUE.repeat(1000), `${FINAL}ok`)).toEqual(['', `${FINAL}ok`])
    expect(() => read(CONTINUE.repeat(1001))).toThrow(
      expect.objectContaining({ code: 'PSP_INFORMATIONAL_OVERFLOW', bytes: undefined, isLowerBound: false }),
    )
  })

  test.each(['100', '102', '103', '199'])('one with the status %s is dropped', (status) => {
    expect(read(`HTTP/1.1 ${status} X\r\n\r\n${FINAL}`)).toEqual([FINAL])
  })

  test('a response with the status 101, 200 or 99 is passed on', () => {
    for (const status of ['101', '200', '99 '])
      expect(read(`HTTP/1.1 ${status} X\r\n\r\n`)).toEqual([`HTTP/1.1 ${status} X\r\n\r\n`])
  })

  test.each(['\r\n\r\n', '\n\n', '\n\r\n'])(
    'one that ends with %j is dropped, also if its end is cut anywhere',
    (end) => {
      const text = `HTTP/1.0 100 Continue\r\nA: b${end}${FINAL}`
      for (let cut = 1; cut < text.length; cut++) expect(read(text.slice(0, cut), text.slice(cut)).join('')).toBe(FINAL)
    },
  )
})

describe('bytes that are not HTTP', () => {
  test('are passed on as soon as they differ from HTTP', () => {
    expect(read('HTTP/1', '/')).toEqual(['', 'HTTP/1/'])
    expect(read('I')).toEqual(['I'])
    expect(read('HTTP/2.0 200')).toEqual(['HTTP/2.0 200'])
  })

  test('are not decided before the status is complete', () => {
    expect(read('HTTP/1.1 20', '0')).toEqual(['', ''])
    expect(read('HTTP/1.\n\n', 'abcdef')).toEqual(['', 'HTTP/1.\n\nabcdef'])
  })
})

describe('the size of a head', () => {
  test('64 KiB are passed on, and one byte more is an error with its size', () => {
    expect(read(headOf(64 * KIB))).toEqual([headOf(64 * KIB)])
    expect(() => read(headOf(64 * KIB + 1))).toThrow(
      expect.objectContaining({ code: 'PSP_HEAD_OVERFLOW', bytes: 64 * KIB + 1, isLowerBound: false }),
    )
  })

  test.each([1, 2, 3, 4, 1000])('is exact if a head arrives in chunks and its last one has %i bytes', (last) => {
    const text = headOf(100 * KIB)
    expect(() => read(text.slice(0, 80 * KIB), text.slice(80 * KIB, -last), text.slice(-last))).toThrow(
      expect.objectContaining({ bytes: 100 * KIB, isLowerBound: false }),
    )
  })

  test('is a lower bound above 1 MiB, or if the connection ends before the head', () => {
    const head = createResponseHead()
    const text = headOf(2048 * KIB)
    expect(head.end()).toBeUndefined()
    head.read(Buffer.from(text.slice(0, 64 * KIB)))
    expect(head.end()).toBeUndefined()
    head.read(Buffer.from(text.slice(64 * KIB, 70 * KIB)))
    expect(head.end()).toMatchObject({ code: 'PSP_HEAD_OVERFLOW', bytes: 70 * KIB, isLowerBound: true })
    head.read(Buffer.from(text.slice(70 * KIB, 1024 * KIB + 3)))
    expect(head.end()).toMatchObject({ bytes: 1024 * KIB + 3 })
    expect(() => head.read(Buffer.from('x'))).toThrow(
      expect.objectContaining({ bytes: 1024 * KIB, isLowerBound: true }),
    )
  })

  test('bytes after the head are passed on without a limit', () => {
    const body = 'x'.repeat(200 * KIB)
    expect(read(FINAL, body)).toEqual([FINAL, body])
  })
})
