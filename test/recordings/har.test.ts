import { describe, expect, test } from 'vitest'
import { type HarEntry, requestBytes, responseBytes } from '../../src/recordings/har.ts'
import { type NumberedEntry, readHar } from '../../src/recordings/har-reader.ts'
import { createHarWriter, type HarFile } from '../../src/recordings/har-writer.ts'

const ENTRY: HarEntry = {
  startedDateTime: '2026-11-29T12:00:00.000Z',
  time: 12,
  request: {
    method: 'POST',
    url: 'http://localhost:3000/hooks',
    httpVersion: 'HTTP/1.1',
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    queryString: [],
    cookies: [],
    headersSize: -1,
    bodySize: 9,
    postData: { mimeType: 'application/json', text: '{"a":"😀"}' },
  },
  response: {
    status: 200,
    statusText: 'OK',
    httpVersion: 'HTTP/1.1',
    headers: [],
    cookies: [],
    content: { size: 2, mimeType: 'application/octet-stream', text: '/wA=', encoding: 'base64' },
    redirectURL: '',
    headersSize: -1,
    bodySize: 2,
  },
  cache: {},
  timings: { send: 0, wait: 12, receive: 0 },
}

const HAR = JSON.stringify({ log: { version: '1.2', pages: [{ entries: [1] }], entries: [ENTRY, ENTRY, ENTRY] } })

async function* pieces(text: string | Buffer, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function entriesOf(text: string | Buffer, size?: number) {
  const entries: NumberedEntry[] = []
  for await (const entry of readHar(pieces(text, size), 'a.har')) entries.push(entry)
  return entries
}

/** A file in memory that keeps its content after each write. */
function memoryFile() {
  let bytes = Buffer.alloc(0)
  const states: string[] = []
  const file: HarFile = {
    async write(chunk, offset, length, position) {
      // The system may write less than it is given.
      const written = Math.min(length, 4096)
      const end = position + written
      if (end > bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(end - bytes.length)])
      Buffer.from(chunk).copy(bytes, position, offset, offset + written)
      if (written === length) states.push(bytes.toString())
      return { bytesWritten: written }
    },
    async truncate(length) {
      bytes = bytes.subarray(0, length)
    },
    stat: async () => ({ size: bytes.length, isFile: () => true }),
  }
  return { file, states, text: () => bytes.toString() }
}

/** Limits the file like a full disk: it writes what fits, and then fails. */
function limitSize(file: HarFile, limit: number): void {
  const { write } = file
  file.write = async (chunk, offset, length, position) => {
    const fitting = Math.min(length, limit - position)
    if (fitting <= 0) throw new Error('ENOSPC')
    return await write(chunk, offset, fitting, position)
  }
}

describe('reading a HAR file', () => {
  test('the reader yields each entry with its number, whatever the size of the pieces', async () => {
    for (const size of [1, 7, 100_000]) {
      const entries = await entriesOf(HAR, size)
      expect(entries.map(({ number }) => number)).toEqual([1, 2, 3])
      expect(entries[2]?.entry).toMatchObject(ENTRY)
    }
  })

  test('the bodies of an entry are read as the bytes that were sent', () => {
    expect(requestBytes(ENTRY.request)?.toString()).toBe('{"a":"😀"}')
    expect(responseBytes(ENTRY.response)).toEqual(Buffer.from([0xff, 0x00]))
  })

  test('a body in base64 is read under both names of the field', async () => {
    for (const field of ['_encoding', 'encoding']) {
      const [first] = await entriesOf(
        JSON.stringify({
          log: { entries: [{ request: { method: 'POST', url: '/', postData: { text: '/wA=', [field]: 'base64' } } }] },
        }),
      )
      expect(first && requestBytes(first.entry.request)).toEqual(Buffer.from([0xff, 0x00]))
    }
  })

  test('the reader ignores a byte order mark', async () => {
    expect(await entriesOf(`\ufeff${HAR}`)).toHaveLength(3)
  })

  test('the reader fills in fields that a tool leaves out', async () => {
    const [first] = await entriesOf('{"log":{"entries":[{"request":{"method":"GET","url":"/"},"response":null}]}}')
    expect(first?.entry.response).toMatchObject({ status: 0, headers: [], content: { size: -1 } })
    expect(first?.entry.request.postData).toBeUndefined()
  })

  test('an error of the reader names the file and the last complete entry', async () => {
    const cut = HAR.slice(0, HAR.lastIndexOf('"startedDateTime"') + 5)
    await expect(entriesOf(cut)).rejects.toThrow(
      /^a\.har is incomplete: it ends after 2 complete entries, at byte \d+\.$/,
    )
    await expect(entriesOf(HAR.slice(0, -1))).rejects.toThrow(/incomplete: it ends after 3 complete entries/)
    await expect(entriesOf(HAR.replace('"time":12', '"time":x'))).rejects.toThrow(
      /not valid JSON before the first entry, between bytes \d+ and \d+/,
    )
    await expect(entriesOf('{"log":{"entries":[{},{}]}}')).rejects.toThrow(
      'a.har: entry 1 is not an HTTP exchange: request is missing.',
    )
  })

  test('two HAR files in one are rejected with the cause', async () => {
    await expect(entriesOf(`${HAR}\n${HAR}`)).rejects.toThrow('a.har continues after the end of its JSON document.')
  })

  test('a file without entries of HAR is rejected', async () => {
    await expect(entriesOf('{"log":{"pages":[]}}')).rejects.toThrow('a.har is not a HAR file: it has no log.entries.')
    await expect(entriesOf('{"log":{"entries":{}}}')).rejects.toThrow('log.entries is not a list')
    await expect(entriesOf('')).rejects.toThrow('a.har is empty.')
    await expect(entriesOf(' \n\t ')).rejects.toThrow('a.har is empty.')
    expect(await entriesOf('{"log":{"entries":[]}}')).toEqual([])
  })
})

describe('writing a HAR file', () => {
  test('the file is a valid HAR document after each write', async () => {
    const { file, states, text } = memoryFile()
    const writer = await createHarWriter(file, { version: '1.0.0' })
    await writer.add(ENTRY)
    await Promise.all([writer.add(ENTRY), writer.add(ENTRY)])
    await writer.flush()
    expect(states.map((state) => JSON.parse(state).log.entries.length)).toEqual([0, 1, 3])
    expect(JSON.parse(text()).log).toMatchObject({ version: '1.2', creator: { name: 'psp', version: '1.0.0' } })
    expect((await entriesOf(text())).map(({ entry }) => entry.request.url)).toHaveLength(3)
  })

  test('an entry that is added while another one is written is not lost', async () => {
    const { file, text } = memoryFile()
    const writer = await createHarWriter(file, { version: '1.0.0' })
    const long = { ...ENTRY, comment: 'x'.repeat(20_000) }
    const first = writer.add(long)
    for (let turn = 0; turn < 20; turn++) {
      await Promise.resolve()
      void writer.add(ENTRY)
    }
    await first
    await writer.flush()
    expect(JSON.parse(text()).log.entries).toHaveLength(21)
  })

  test('an entry whose write fails is missing, and every other entry is in the file', async () => {
    const { file, text } = memoryFile()
    const writer = await createHarWriter(file, { version: '1.0.0' })
    await writer.add(ENTRY)
    limitSize(file, text().length + 20 * JSON.stringify(ENTRY).length)
    const added = [writer.add({ ...ENTRY, comment: 'x'.repeat(90_000) })]
    for (let turn = 0; turn < 100; turn++) {
      if (turn % 10 === 9) added.push(writer.add(ENTRY))
      await Promise.resolve()
    }
    added.push(writer.add(ENTRY))
    const written = (await Promise.allSettled(added)).filter(({ status }) => status === 'fulfilled').length
    expect(JSON.parse(text()).log.entries).toHaveLength(1 + written)
    expect(written).toBe(added.length - 1)
  })

  test('the file stays valid on a disk that has no space for a new end', async () => {
    const { file, text } = memoryFile()
    const writer = await createHarWriter(file, { version: '1.0.0' })
    await writer.add(ENTRY)
    const full = text().length
    const { write, truncate } = file
    let size = full
    // The space that a file gives up is used by another program at once.
    file.truncate = async (length) => {
      size = Math.min(size, length)
      await truncate(length)
    }
    file.write = async (chunk, offset, length, position) => {
      const fitting = Math.min(length, size - position)
      if (fitting <= 0) throw new Error('ENOSPC')
      return await write(chunk, offset, fitting, position)
    }
    await expect(writer.add(ENTRY)).rejects.toThrow('ENOSPC')
    expect(JSON.parse(text()).log.entries).toHaveLength(1)
  })

  test('a file that another program has truncated is not written to again', async () => {
    const { file, text } = memoryFile()
    const writer = await createHarWriter(file, { version: '1.0.0' })
    await writer.add(ENTRY)
    expect(await writer.isIntact()).toBe(true)
    await file.truncate(2)
    expect(await writer.isIntact()).toBe(false)
    await expect(writer.add(ENTRY)).rejects.toThrow('it was removed or replaced')
    expect(text()).toHaveLength(2)
  })

  test('the file stays valid if an entry cannot be written', async () => {
    const { file, text } = memoryFile()
    const writer = await createHarWriter(file, { version: '1.0.0' })
    await writer.add(ENTRY)
    const { write } = file
    let writes = 0
    file.write = async (chunk, offset, length, position) => {
      if (++writes === 2) throw new Error('ENOSPC')
      return await write(chunk, offset, length, position)
    }
    await expect(writer.add({ ...ENTRY, comment: 'x'.repeat(20_000) })).rejects.toThrow('ENOSPC')
    expect(JSON.parse(text()).log.entries).toHaveLength(1)
    await writer.add(ENTRY)
    expect(JSON.parse(text()).log.entries).toHaveLength(2)
  })
})
