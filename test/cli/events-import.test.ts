// `psp events import`: real recordings, wrong ones, and what is stored of them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { signatureHeader } from '../../src/domain/signatures.ts'
import {
  createTestDir,
  jsonOf,
  psp,
  type RunOptions,
  startPsp,
  startTestServer,
  type TestServer,
  waitUntil,
} from './helpers.ts'

const FIXTURES = fileURLToPath(new URL('../recordings/fixtures/', import.meta.url))
const SECRET = 'whs_psp0development0webhook0not0a0secret'
const BODY =
  '{"id": "evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00Z","data":{"id":"pay_1","order_id":"A-7"}}'

let folder: ReturnType<typeof createTestDir>
let server: TestServer
beforeEach(async () => {
  folder = createTestDir()
  // For the key of the pseudonyms, so that a second import finds the same events.
  mkdirSync(join(folder.path, '.psp'))
  server = await startTestServer()
})
afterEach(async () => {
  await server.close()
  folder.remove()
})

function save(name: string, content: string | Buffer): string {
  writeFileSync(join(folder.path, name), content)
  return name
}

const run = (line: string, options: RunOptions = {}) => server.psp(line, { cwd: folder.path, ...options })
const imported = async () =>
  (jsonOf(await run('events list --imported --json --limit 1000')) as { items: { body: string; source: string }[] })
    .items

interface Message {
  readonly body?: string
  readonly headers?: Record<string, string>
  readonly at?: string
  readonly encoding?: string
}

function har(...messages: Message[]): string {
  const entries = messages.map(({ body = '', headers = {}, at = '2026-05-06T12:00:02.000Z', encoding }) => ({
    startedDateTime: at,
    request: {
      method: 'POST',
      url: 'https://shop.example/hooks',
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      postData: { mimeType: 'application/json', text: body, ...(encoding && { _encoding: encoding }) },
    },
    response: { status: 200 },
  }))
  return JSON.stringify({ log: { version: '1.2', entries } })
}

const signed = (body: string, secret = SECRET, t = Date.parse('2026-05-06T12:00:00Z') / 1000) => ({
  'X-PSP-Signature': signatureHeader({ body, secret, timestamp: t }),
})

describe('recordings of real tools', () => {
  test.each([
    ['chromium.har', 'har', 2, 'valid'],
    ['firefox.har', 'har', 3, 'valid'],
    ['mitmproxy.har', 'har', 3, 'valid'],
    ['nginx.log', 'nginx', 3, 'valid'],
    ['listen.ndjson', 'ndjson', 3, 'valid'],
    ['chromium-curl.txt', 'curl', 1, 'valid'],
    ['bodies.ndjson', 'ndjson', 3, 'missing'],
  ])(
    '%s is imported with its signatures checked and personal data replaced',
    async (name, format, count, signature) => {
      const ran = await run(`events import ${join(FIXTURES, name)} --secret ${SECRET} --json`)
      expect(ran.code, ran.stderr).toBe(0)
      expect(jsonOf(ran)).toMatchObject({ imported: count, signatures: { [signature]: count }, files: [{ format }] })
      const stored = JSON.stringify(await imported())
      expect(stored).not.toMatch(/Иван|\+79161234567/)
      expect(stored).toContain(`${name} `)
      expect((await run('events list --json')).stdout).toBe('{"items":[],"next_cursor":null}\n')
    },
  )

  test('the bytes of a body stay the same if personal data is kept', async () => {
    await run(`events import ${join(FIXTURES, 'mitmproxy.har')} --keep-personal-data`)
    const { log } = JSON.parse(readFileSync(join(FIXTURES, 'mitmproxy.har'), 'utf8'))
    const bodies = log.entries.map(
      (entry: { request: { postData?: { text: string } } }) => entry.request.postData?.text,
    )
    expect((await imported()).map(({ body }) => body).reverse()).toEqual(bodies.slice(0, 3))
  })
})

describe('the check of signatures', () => {
  test('an invalid signature is explained and stored, and the exit code is 8', async () => {
    const wrong = save(
      'a.har',
      har({ body: BODY, headers: signed(`${BODY}\n`) }, { body: BODY, headers: signed(BODY) }),
    )
    const ran = await run(`events import ${wrong} --secret ${SECRET}`)
    expect(ran.code).toBe(8)
    expect(ran.stderr).toContain('The signature of a.har entry 1 is not valid. trailing_newline: ')
    expect(ran.stderr.match(/not valid/g)).toHaveLength(1)
    expect(ran.stdout).toMatch(/signatures +1 invalid, 1 valid/)
    expect((await run('events list --imported')).stdout).toContain('trailing_newline')
  })

  test('a signature is unchecked without a secret that fits, and the output names the flag to pass', async () => {
    const ran = await run(
      `events import ${save('a.har', har({ body: BODY, headers: signed(BODY, 'whs_production') }))}`,
    )
    expect(ran.code).toBe(0)
    expect(ran.stderr).toContain('Signatures are unchecked: pass the secret')
    const checked = await run('events import a.har --secret whs_production --json')
    expect(jsonOf(checked)).toMatchObject({ imported: 0, known: 1, signatures: { valid: 1 } })
  })

  test('a clock that differs from the one that signed is reported, and the signature is valid', async () => {
    save('a.har', har({ body: BODY, headers: signed(BODY), at: '2026-05-06T14:07:00.000Z' }))
    const ran = await run(`events import a.har --secret ${SECRET}`)
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('The clock of the recording is 2h7m ahead of')])
  })
})

describe('files with equal events', () => {
  const LATER = BODY.replace('evt_1', 'evt_2')

  test('events that are in several files of one command are imported once', async () => {
    save('a.ndjson', `${BODY}\n${LATER}\n`)
    save('b.ndjson', `${LATER}\n`)
    const ran = await run('events import a.ndjson a.ndjson b.ndjson --json')
    const files = [2, 2, 1].map((events) => expect.objectContaining({ events }))
    expect(jsonOf(ran)).toMatchObject({ imported: 2, known: 0, total: 2, in_several_files: 3, files })
    expect(await imported()).toHaveLength(2)
    const again = await run('events import a.ndjson a.ndjson')
    expect(again.stdout).toMatch(/imported +0 events, 2 were imported before\n/)
    expect(again.stdout).toMatch(/in several files +2 events, imported once\n/)
  })

  test('an event that one file contains twice is imported twice', async () => {
    save('a.ndjson', `${BODY}\n${BODY}\n`)
    expect(jsonOf(await run('events import a.ndjson a.ndjson --json'))).toMatchObject({
      imported: 2,
      in_several_files: 2,
    })
  })
})

describe('a recording that cannot be imported', () => {
  const cut = har({ body: BODY }, { body: BODY })
  const NOTHING = [
    ['half a HAR file', cut.slice(0, -40), 'a.rec is incomplete: it ends after 1 complete entry,'],
    [
      'traffic of another service',
      har({ body: '{"object":"charge"}' }),
      'a.rec: there is no webhook event. It has 1 other message; the first is entry 1: POST https://shop.example/hooks',
    ],
    [
      'a binary body with a signature',
      har({ body: BODY }, { body: '/wA=', encoding: 'base64', headers: signed('') }),
      'a.rec entry 2 has a webhook signature, but its body is binary',
    ],
    [
      'a truncated body with a signature',
      har({ body: BODY }, { body: BODY.slice(0, 60), headers: signed('') }),
      'a.rec entry 2 has a webhook signature, but its body is not complete JSON: it has 60 bytes',
    ],
    [
      'a body that is no event',
      har({ body: BODY }, { body: '{}', headers: signed('') }),
      'its body is not an event: it needs the fields id, event and data',
    ],
    ['a torn log', `${BODY}\n${BODY.slice(0, 30)}`, 'a.rec line 2 is incomplete'],
    ['a file of another kind', 'GIF89a', 'a.rec has no known format'],
    ['an empty file', '', 'a.rec is empty'],
  ] as const

  test.each(NOTHING)('%s stores nothing, and the message names the place', async (_, content, message) => {
    save('good.ndjson', BODY)
    const ran = await run(`events import good.ndjson ${save('a.rec', content)}`)
    expect([ran.code, ran.stdout]).toEqual([2, ''])
    expect(ran.stderr).toContain(message)
    expect(await imported()).toEqual([])
  })

  test('`--skip-invalid` leaves out what cannot be imported, and lists it', async () => {
    save('a.ndjson', `${BODY}\nno json\n${BODY}\n`)
    const ran = await run('events import a.ndjson --skip-invalid')
    expect([ran.code, ran.stderr]).toEqual([
      0,
      expect.stringContaining('Left out: a.ndjson line 2 is not JSON at column 2'),
    ])
    expect((await imported()).map(({ source }) => source)).toEqual(['a.ndjson line 3', 'a.ndjson line 1'])
  })

  test.each(['', ' --json'])('`--skip-invalid%s` lists what it leaves out also if no event is left', async (flags) => {
    save('a.ndjson', '{no json}\n')
    const ran = await run(`events import a.ndjson --skip-invalid${flags}`)
    expect([ran.code, ran.stdout]).toEqual([2, ''])
    expect(ran.stderr).toContain('No event can be imported.')
    expect(ran.stderr).toContain('Left out: a.ndjson line 1 is not JSON at column 2')
  })

  test('an error shows neither the secrets nor the personal data of a URL', async () => {
    const url = 'https://ivan:secret-1@shop.example/users/ivan-petrov?token=secret-2'
    const ran = await run(`events import ${save('a.txt', `curl ${url}`)}`)
    expect([ran.code, ran.stdout]).toEqual([2, ''])
    expect(ran.stderr).toContain('line 1: GET https://***@shop.example/')
    expect(ran.stderr).not.toMatch(/secret-|ivan/)
  })

  test('a secret of another form is refused with the expected form', async () => {
    save('a.ndjson', BODY)
    const ran = await run('events import a.ndjson --secret garbage')
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining('Expected whs_ and at least one visible character.'),
    ])
    expect(ran.stderr).not.toContain('psp shops create')
  })

  test('a file that does not exist and an unknown format are wrong usage', async () => {
    expect((await run('events import none.har')).code).toBe(2)
    expect((await run('events import a.har --format pcap')).code).toBe(2)
    expect((await run('events import')).code).toBe(2)
  })
})

describe('imported events', () => {
  test('stdin and UTF-16 of PowerShell are read', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`${BODY}\r\n`, 'utf16le')])
    expect((await run('events import -', { stdin: utf16 })).code).toBe(0)
    expect(await imported()).toMatchObject([{ body: BODY, source: 'stdin line 1' }])
  })

  test('a second import of the same file adds nothing, and `--replace` removes earlier imports', async () => {
    save('a.ndjson', `${BODY}\n${BODY}\n`)
    expect(jsonOf(await run('events import a.ndjson --json'))).toMatchObject({ imported: 2, known: 0, total: 2 })
    expect(jsonOf(await run('events import a.ndjson --json'))).toMatchObject({ imported: 0, known: 2, total: 2 })
    save('b.ndjson', BODY.replace('evt_1', 'evt_2'))
    expect(jsonOf(await run('events import b.ndjson --replace --json'))).toMatchObject({ imported: 1, total: 1 })
  })

  const PERSONAL = BODY.replace('"order_id"', '"customer_card_holder":"ANNA IVANOVA","order_id"')

  test.each([
    ['personal data is replaced', PERSONAL, ''],
    ['the event has no date', `curl https://shop.example/ --data-raw '${PERSONAL.replace('created_at', 'made')}'`, ''],
    ['personal data is kept the second time', PERSONAL, ' --keep-personal-data'],
  ])('a second import adds nothing if %s', async (_, content, flags) => {
    save('a.txt', content)
    expect(jsonOf(await run('events import a.txt --json'))).toMatchObject({ imported: 1, known: 0 })
    expect(jsonOf(await run(`events import a.txt --json${flags}`))).toMatchObject({ imported: 0, known: 1, total: 1 })
  })

  test('a second import adds the events again if there is no data directory for the key of the pseudonyms', async () => {
    rmdirSync(join(folder.path, '.psp'))
    save('a.ndjson', PERSONAL)
    await run('events import a.ndjson')
    expect(jsonOf(await run('events import a.ndjson --json'))).toMatchObject({ imported: 1, known: 0, total: 2 })
  })

  test('events that differ only in a replaced text are different events', async () => {
    save('a.ndjson', PERSONAL)
    save('b.ndjson', PERSONAL.replace('ANNA', 'OLGA'))
    expect(jsonOf(await run('events import a.ndjson --json'))).toMatchObject({ imported: 1 })
    expect(jsonOf(await run('events import a.ndjson b.ndjson --json'))).toMatchObject({
      imported: 1,
      known: 1,
      total: 2,
    })
  })

  test('a dry run checks the files and stores nothing', async () => {
    save('a.ndjson', BODY)
    const ran = await run('events import a.ndjson --dry-run')
    expect([ran.code, ran.stdout + ran.stderr]).toEqual([0, expect.stringContaining('/_psp/imported-events')])
    expect(await imported()).toEqual([])
    expect((await run(`events import ${save('b.rec', 'GIF89a')} --dry-run`)).code).toBe(2)
  })

  test('`events get` shows an imported event, and filters of the sandbox are refused with `--imported`', async () => {
    await run(`events import ${save('a.ndjson', BODY)}`)
    const [{ id } = { id: '' }] = (await imported()) as unknown as { id: string }[]
    const shown = await run(`events get ${id}`)
    expect(shown.stdout).toMatch(/from +a\.ndjson line 1\n/)
    expect(shown.stdout).toContain('"order_id": "A-7"')
    expect((await run('events list --imported --order A-7')).stdout).toContain(id)
    expect((await run('events list --imported --order B')).stdout).not.toContain(id)
    expect((await run('events list --imported --since 10m')).code).toBe(2)
    expect((await run('events list --order A-7')).code).toBe(2)
  })

  test('the key of the pseudonyms is in the data directory of the server, also if it is above', async () => {
    const serving = startPsp(['serve', '--port', '0'], { cwd: folder.path })
    await waitUntil(() => existsSync(join(folder.path, '.psp/lock')) && serving.errors().includes('http://'))
    const below = join(folder.path, 'below')
    mkdirSync(below)
    writeFileSync(join(below, 'a.ndjson'), BODY)
    const ran = await psp('events import a.ndjson', { cwd: below })
    serving.signal('SIGINT')
    await serving.ended
    expect(ran.code, ran.stderr).toBe(0)
    expect(readdirSync(below)).toEqual(['a.ndjson'])
    expect(readFileSync(join(folder.path, '.psp/pseudonym-key'), 'utf8')).toMatch(/^\w{32}\n$/)
  })

  test('no card number, secret, phone or name remains in a file of the data directory', async () => {
    const digits = (length: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length })
    const card = fc.constantFrom('4111111111111111', '2200000000000004', '5555555555554444', '4111 1111 1111 1111')
    const secret = fc
      .string({ unit: fc.constantFrom(...'abcXYZ019'), minLength: 16, maxLength: 24 })
      .map((text) => `whs_${text}`)
    await fc.assert(
      fc.asyncProperty(card, secret, digits(9), async (pan, whole, rest) => {
        const dir = createTestDir()
        const phone = `+79${rest}`
        const data = {
          id: 'pay_1',
          order_id: 'A-7',
          customer_card_holder: 'ANNA IVANOVA',
          metadata: { a: pan, b: phone, c: `for Anna ${whole}` },
        }
        const body = JSON.stringify({ id: 'evt_1', event: 'payment.succeeded', [whole]: phone, data })
        writeFileSync(
          join(dir.path, 'a.har'),
          har({ body, headers: { ...signed(body), Authorization: `Bearer ${whole}` } }),
        )
        const ran = await psp(['events', 'import', 'a.har', '--secret', whole], { cwd: dir.path })
        expect(ran.code).toBe(8)
        const written = filesIn(join(dir.path, '.psp')).join('\n') + ran.stdout + ran.stderr
        expect(written).toContain('imported_events')
        for (const value of [pan, phone, whole.slice(4), 'ANNA IVANOVA', 'for Anna'])
          expect(written).not.toContain(value)
        dir.remove()
      }),
      { numRuns: 8 },
    )
  }, 60_000)
})

function filesIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1').toString())
}
