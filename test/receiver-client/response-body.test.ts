// The limits of a body, one below and one above.
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodeBody, decodingIssue, encodingsOf } from '../../src/receiver-client/content-encoding.ts'
import { createResponseBody, readText, recordBody } from '../../src/receiver-client/response-body.ts'

const KIB = 1024
const MIB = 1024 * KIB

describe('a response body', () => {
  test('64 KiB are stored whole, and a longer body is cut', async () => {
    const whole = createResponseBody()
    expect(whole.add(Buffer.alloc(64 * KIB, 'x'))).toBe(true)
    expect(whole.recorded([], true)).toEqual({ text: 'x'.repeat(64 * KIB) })
    whole.add(Buffer.from('y'))
    expect(whole.bytes()).toBe(64 * KIB + 1)
    expect(whole.recorded([], true)).toEqual({ text: 'x'.repeat(64 * KIB), truncated: true })
  })

  test('chunks are joined in order, and the chunk at the limit is stored in part', () => {
    const body = createResponseBody()
    body.add(Buffer.alloc(64 * KIB - 2, 'a'))
    body.add(Buffer.from('bcd'))
    expect(body.recorded([], true)).toEqual({ text: `${'a'.repeat(64 * KIB - 2)}bc`, truncated: true })
  })

  test('less than 1 MiB is read', () => {
    const body = createResponseBody()
    expect(body.add(Buffer.alloc(MIB - 1))).toBe(true)
    expect(body.add(Buffer.alloc(1))).toBe(false)
  })

  test.each([
    [64 * KIB, { text: 'x'.repeat(64 * KIB) }],
    [64 * KIB + 1, { text: 'x'.repeat(64 * KIB), truncated: true }],
  ])('%i decoded bytes are stored up to 64 KiB', async (bytes, recorded) => {
    const body = createResponseBody()
    body.add(gzipSync('x'.repeat(bytes)))
    expect(await body.recorded([['Content-Encoding', 'gzip']], true)).toEqual(recorded)
  })

  test('the received part of an encoded body is not marked as cut, because its exchange has an error', async () => {
    const body = createResponseBody()
    body.add(gzipSync('abc', { level: 0 }).subarray(0, -8))
    expect(await body.recorded([['content-encoding', 'gzip']], false)).toEqual({ text: 'abc' })
  })
})

describe('a body that is cut', () => {
  // The continuation bytes of U+8000 have the lowest value.
  test.each(['é', '€', '😀', '\u8000'])('in the character %s is text without that character', (character) => {
    const bytes = Buffer.from(`a${character}`)
    for (let end = 2; end < bytes.length; end++)
      expect(recordBody(bytes.subarray(0, end), true)).toEqual({ text: 'a', truncated: true })
    expect(recordBody(bytes, true)).toEqual({ text: `a${character}`, truncated: true })
  })

  test('in binary data is base64 with all its bytes', () => {
    const bytes = Buffer.from([0x80, 0x80, 0x80, 0x80])
    expect(recordBody(bytes, true)).toEqual({ b64: bytes.toString('base64'), truncated: true })
    expect(recordBody(Buffer.from([0xe2, 0x61]), true)).toEqual({ b64: '4mE=', truncated: true })
  })

  test('is base64 if it was not cut and ends in the middle of a character', () => {
    expect(recordBody(Buffer.from('é').subarray(0, 1))).toEqual({ b64: 'ww==' })
  })

  test.each([0xc0, 0xc1, 0xf5, 0xff])(
    'is base64 if it ends with the byte %i, with which no character begins',
    (last) => {
      const bytes = Buffer.from([0x61, last])
      expect(recordBody(bytes, true)).toEqual({ b64: bytes.toString('base64'), truncated: true })
    },
  )

  test.each(['text/plain; charset=ISO-8859-1', 'text/html;charset="windows-1251"'])(
    'keeps its last byte with the type %s, because it may be a whole character',
    (type) => {
      const bytes = Buffer.from('caf\u00e9', 'latin1')
      expect(recordBody(bytes, true, [['content-type', type]])).toEqual({ b64: 'Y2Fm6Q==', truncated: true })
    },
  )

  test.each(['text/plain', 'application/json; charset=utf-8', 'text/plain; charset="UTF8"'])(
    'ends before a character that is cut with the type %s',
    (type) => {
      const bytes = Buffer.from('café').subarray(0, -1)
      expect(recordBody(bytes, true, [['Content-Type', type]])).toEqual({ text: 'caf', truncated: true })
    },
  )

  test('keeps its last byte at the limit if its headers name another charset', () => {
    const body = createResponseBody()
    body.add(Buffer.concat([Buffer.alloc(64 * KIB - 1, 'a'), Buffer.from([0xe9, 0x61])]))
    const recorded = body.recorded([['Content-Type', 'text/plain; charset=iso-8859-1']], true)
    const bytes = Buffer.concat([Buffer.alloc(64 * KIB - 1, 'a'), Buffer.from([0xe9])])
    expect(recorded).toEqual({ b64: bytes.toString('base64'), truncated: true })
  })

  test('keeps a byte order mark at its beginning', () => {
    expect(recordBody(Buffer.from('\ufeffa'), true)).toEqual({ text: '\ufeffa', truncated: true })
  })

  test('is empty text if it was a part of its first character', () => {
    expect(recordBody(Buffer.from('€').subarray(0, 2), true)).toEqual({ text: '', truncated: true })
  })
})

describe('readText', () => {
  const response = (encoding: string | null, ...parts: Uint8Array[]) => ({
    headers: new Headers(encoding === null ? {} : { 'Content-Encoding': encoding }),
    body: (async function* () {
      yield* parts
    })(),
  })
  const x = (bytes: number) => Buffer.alloc(bytes, 'x')
  const tooLarge = { name: 'DecodingError', message: 'it is larger than 1 MiB' }

  test('reads up to the limit', async () => {
    expect(await readText(response(null, x(MIB - 1), x(1)), MIB)).toBe('x'.repeat(MIB))
    await expect(readText(response(null, x(MIB), x(1)), MIB)).rejects.toMatchObject(tooLarge)
  })

  test('decodes up to the limit', async () => {
    expect(await readText(response('gzip', gzipSync(x(MIB))), MIB)).toBe('x'.repeat(MIB))
    await expect(readText(response('gzip', gzipSync(x(MIB + 1))), MIB)).rejects.toMatchObject(tooLarge)
  })

  test('returns the empty text of a body without bytes', async () => {
    expect(await readText(response('gzip'), MIB)).toBe('')
    expect(await readText({ headers: { get: () => null }, body: null }, MIB)).toBe('')
  })
})

describe('the encodings of a body', () => {
  test('are those of all header lines in lower case, without identity', () => {
    const headers = [
      ['Content-Type', 'gzip'],
      ['content-encoding', ' GZIP ,identity'],
      ['CONTENT-ENCODING', 'br,,'],
    ] as const
    expect(encodingsOf(headers)).toEqual(['gzip', 'br'])
  })

  test('are at most five', async () => {
    let bytes: Buffer = Buffer.from('deep')
    for (let n = 0; n < 5; n++) bytes = gzipSync(bytes)
    const gzips = (count: number) => Array<string>(count).fill('gzip')
    expect(await decodeBody({ bytes, isWhole: true }, gzips(5), 4)).toEqual({
      bytes: Buffer.from('deep'),
      isWhole: true,
    })
    await expect(decodeBody({ bytes: gzipSync(bytes), isWhole: true }, gzips(6), 4)).rejects.toMatchObject({
      name: 'DecodingError',
      message: 'psp decodes at most 5 encodings',
    })
  })

  test('decode to at most 1 MiB before the last one', async () => {
    const random = randomBytes(MIB)
    const inner = (size: number) => {
      const overhead = gzipSync(random, { level: 0 }).length - random.length
      const whole = gzipSync(random.subarray(0, size - overhead), { level: 0 })
      return gzipSync(random.subarray(0, size - overhead + (size - whole.length)), { level: 0 })
    }
    const decoded = async (size: number) => {
      expect(inner(size)).toHaveLength(size)
      return await decodeBody({ bytes: gzipSync(inner(size), { level: 0 }), isWhole: true }, ['gzip', 'gzip'], 2 * MIB)
    }
    expect((await decoded(MIB)).isWhole).toBe(true)
    expect((await decoded(MIB + 1)).isWhole).toBe(false)
  })

  test('an unknown encoding is named with its first 40 characters', async () => {
    const decode = (name: string) => decodeBody({ bytes: Buffer.from('a'), isWhole: true }, [name], 1)
    await expect(decode('z'.repeat(41))).rejects.toMatchObject({ message: `psp cannot decode ${'z'.repeat(40)}` })
  })

  test('a decoding issue explains only errors of a decoder', () => {
    const coded = (code: string, message: string) => Object.assign(new Error(message), { code })
    expect(decodingIssue(coded('Z_DATA_ERROR', 'bad'), 'gzip')).toBe('it is not valid gzip (bad)')
    expect(decodingIssue({ code: 'ERR_BROTLI_X' }, 'br')).toBe('it is not valid br (ERR_BROTLI_X)')
    for (const error of [coded('XZ_DATA', 'bad'), new Error('Z_'), undefined])
      expect(decodingIssue(error, 'gzip')).toBeUndefined()
  })
})
