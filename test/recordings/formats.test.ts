import { describe, expect, test } from 'vitest'
import { headerValue } from '../../src/domain/delivery.ts'
import { curlMessages } from '../../src/recordings/curl-messages.ts'
import { openRecording } from '../../src/recordings/open-recording.ts'
import type { RecordedMessage, RecordingFormat } from '../../src/recordings/recorded-message.ts'
import { shellWords } from '../../src/recordings/shell-words.ts'

const BODY = '{"id":"evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00Z","data":{"order_id":"A-7"}}'

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(text: string | Buffer, format?: RecordingFormat) {
  const problems: string[] = []
  const opened = await openRecording(pieces(Buffer.from(text), 11), {
    name: 'a.log',
    format,
    onInvalid: ({ message }) => problems.push(message),
  })
  const messages: RecordedMessage[] = []
  for await (const message of opened.messages) messages.push(message)
  return { format: opened.format, messages, problems, bodies: messages.map(({ body }) => body?.toString()) }
}

describe('the format of a recording', () => {
  test('the format is detected from the beginning of the file', async () => {
    expect((await read('{"log":{"entries":[]}}')).format).toBe('har')
    expect((await read(`\ufeff  ${BODY}\n`)).format).toBe('ndjson')
    expect((await read('{"time_iso8601":"x","request_body":"-"}')).format).toBe('nginx')
    expect((await read("curl 'http://a/' -d 1")).format).toBe('curl')
    expect((await read("/usr/bin/curl 'http://a/' -d 1")).format).toBe('curl')
    await expect(read('<html>')).rejects.toThrow('a.log has no known format: it begins with "<".')
    await expect(read('')).rejects.toMatchObject({
      name: 'RecordingError',
      message: 'a.log is empty.',
      hint: expect.stringMatching(/HAR/),
    })
  })
})

describe('logs with a JSON document per line', () => {
  test('the line of a body is taken byte for byte, without the line end', async () => {
    const spaced = BODY.replace(':', ' : ')
    expect((await read(`${BODY}\r\n\n${spaced}`)).bodies).toEqual([BODY, spaced])
  })

  test('an event of `psp listen --json` has its bytes, headers and time, and lines about attempts have none', async () => {
    const event = {
      type: 'event',
      at: '2026-05-06T12:00:01.500Z',
      headers: [['X-PSP-Signature', 't=1,v2=ab']],
      body_b64: Buffer.from(BODY).toString('base64'),
    }
    const lines = [{ type: 'ready', secret: 'whs_x' }, event, { type: 'attempt', response_body: '{}' }]
    const { messages, bodies } = await read(lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(bodies).toEqual([BODY])
    expect(messages[0]).toMatchObject({ place: 'line 2', at: Date.parse('2026-05-06T12:00:01.500Z') })
    expect(headerValue(messages[0]?.headers ?? [], 'x-psp-signature')).toBe('t=1,v2=ab')
  })

  test('the escaped bytes of nginx are decoded', async () => {
    const body = BODY.replace('A-7', 'Заказ \u{1f600}')
    const escaped = [...Buffer.from(body)]
      .map((byte) =>
        byte < 32 || byte > 126 || byte === 34 || byte === 92
          ? `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
          : String.fromCharCode(byte),
      )
      .join('')
    const { bodies, problems, format } = await read(
      `{"time_iso8601":"2026-05-06T12:00:00Z","request_body":"${escaped}"}`,
    )
    expect({ bodies, problems, format }).toEqual({ bodies: [body], problems: [], format: 'nginx' })
  })

  test('a line that is nested too deep is named', async () => {
    const { problems } = await read(`${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`)
    expect(problems).toEqual(['a.log line 1 is nested more than 64 levels deep.'])
  })

  test('a page of `psp logs --json` is read from the oldest request on', async () => {
    const item = (id: number) => ({
      id,
      method: 'POST',
      path: '/hooks',
      at: `2026-05-06T12:00:0${id}Z`,
      request: { body: `${id}` },
    })
    const { bodies, messages } = await read(JSON.stringify({ items: [item(2), item(1)], next_cursor: null }))
    expect(bodies).toEqual(['1', '2'])
    expect(messages.map(({ place, about }) => `${place} ${about}`)).toEqual([
      'line 1 item 2 POST /hooks',
      'line 1 item 1 POST /hooks',
    ])
  })

  test('a line of nginx has the body, the signature and the time of its fields', async () => {
    const line = {
      msec: '1795959269.941',
      request_method: 'POST',
      http_x_psp_signature: 'sha256=aa',
      request_body: BODY,
    }
    const { messages, bodies, format } = await read(JSON.stringify(line))
    expect([format, bodies]).toEqual(['nginx', [BODY]])
    expect(messages[0]).toMatchObject({ at: 1795959269941, headers: [['x-psp-signature', 'sha256=aa']] })
    expect((await read('{"request_body":"-","http_x_psp_signature":""}')).messages[0]).toMatchObject({ headers: [] })
    const local = await read('{"time_local":"29/Nov/2026:12:00:00 +0300","request_body":"x"}')
    expect(local.messages[0]?.at).toBe(Date.parse('2026-11-29T09:00:00Z'))
  })

  test('a quote that is not closed is reported without the text after it', async () => {
    await expect(read("curl 'http://a/' -d 'Ivan Petrov")).rejects.toThrow(
      /^a\.log line 1 has a quote that is not closed\.$/,
    )
  })

  test('a problem names the line and its column', async () => {
    const { problems, bodies } = await read(`${BODY}\n{"a":x}\n[1]\n${BODY}\nnull\n7\n{"id":"evt_2","ev`)
    expect(problems).toEqual([
      'a.log line 2 is not JSON at column 6.',
      'a.log line 3 is not a JSON object, but a list.',
      'a.log line 5 is not a JSON object, but null.',
      'a.log line 6 is not a JSON object, but a number.',
      'a.log line 7 is incomplete: the file ends in the middle of it.',
    ])
    expect(bodies).toEqual([BODY, BODY])
    expect((await read(Buffer.concat([Buffer.from(`${BODY}\n`), Buffer.from([0xff, 0xfe, 10])]))).problems).toEqual([
      'a.log line 2 is not UTF-8.',
    ])
  })

  test('a body on several lines keeps its bytes', async () => {
    const text = `${JSON.stringify(JSON.parse(BODY), null, 2)}\n`
    expect((await read(text)).bodies).toEqual([text])
    expect((await read(text.slice(0, -4))).problems).toEqual(['a.log is not one JSON document.'])
  })
})

test('an entry that is not an exchange is reported, and the others are read', async () => {
  const request = { method: 'POST', url: 'http://a', postData: { text: BODY } }
  const damaged = { method: 'POST', url: 'http://a', postData: { text: '@@@', encoding: 'base64' } }
  const entries = [null, {}, { request: { method: 1 } }, { request }, { request: damaged }]
  const { bodies, problems, messages } = await read(JSON.stringify({ log: { entries } }))
  expect(bodies).toEqual([BODY, undefined])
  expect(problems.map((problem) => problem.slice(0, 15))).toEqual([
    'a.log: entry 1 ',
    'a.log: entry 2 ',
    'a.log: entry 3 ',
  ])
  expect(messages[1]?.noBody).toBe('its text is not valid base64.')
})

describe('curl commands', () => {
  test('a command is split into words as a shell does', () => {
    const text = String.raw`curl 'it'\''s' "a \"b\" \\ \$c" $'\u00e9\n\x41\'' plain\ word --a=b # comment
 next; last`
    expect(shellWords(text).map((word) => word.text)).toEqual([
      'curl',
      "it's",
      'a "b" \\ $c',
      "é\nA'",
      'plain word',
      '--a=b',
      'next',
      'last',
    ])
    expect(() => shellWords("a\nb 'c")).toThrow(
      expect.objectContaining({ name: 'ShellSyntaxError', message: 'has a quote that is not closed.', line: 2 }),
    )
  })

  test('a command that ends with a backslash is reported as incomplete, and not as an open quote', () => {
    for (const text of ["curl http://a \\\n -d 'x' \\", "curl http://a\n -d 'x'\\"])
      expect(() => curlMessages(text, 'c.txt')).toThrow(
        'c.txt line 2 ends with a backslash (\\), which continues the command on the next line, but there is no next line.',
      )
    expect(shellWords("'a \\'").map(({ text }) => text)).toEqual(['a \\'])
    expect(() => shellWords("'a \\")).toThrow('has a quote that is not closed.')
  })

  test('the bytes of the body and the headers are read from any form of the options', () => {
    const forms = [
      `curl 'http://a/hooks' -H 'X-PSP-Signature: t=1,v2=a' --data-raw '${BODY}'`,
      `curl -X POST \\\n  --url http://a/hooks \\\n  --header "X-PSP-Signature: t=1,v2=a" \\\n  -d'${BODY}'`,
      `curl http://a/hooks -HX-PSP-Signature:t=1,v2=a --json='${BODY}' --compressed -s`,
    ]
    for (const form of forms) {
      expect(curlMessages(form, 'c.txt')).toEqual([
        {
          place: 'line 1',
          body: Buffer.from(BODY),
          headers: [['X-PSP-Signature', 't=1,v2=a']],
          about: 'POST http://a/hooks',
        },
      ])
    }
  })

  test('a file may contain several commands', () => {
    const messages = curlMessages("curl http://a/ -d '1'\ncurl http://b/ \\\n  -d '2'\n", 'c.txt')
    expect(messages.map(({ place, about, body }) => `${place} ${about} ${body}`)).toEqual([
      'line 1 POST http://a/ 1',
      'line 2 POST http://b/ 2',
    ])
  })

  test('bytes in a quoted text are read as UTF-8', () => {
    expect(curlMessages(String.raw`curl http://a -d $'\xd0\x96\320\226\u0416\'\0'`, 'c.txt')[0]?.body?.toString()).toBe(
      "ЖЖЖ'\0",
    )
  })

  test('short options may share one word', () => {
    for (const options of [`-sSd '${BODY}'`, `-ksd'${BODY}'`, `-sXPUT -d '${BODY}'`, `-vso /dev/null -d '${BODY}'`])
      expect(curlMessages(`curl ${options} http://a`, 'c.txt')[0]?.body?.toString()).toBe(BODY)
  })

  test('several values become one body as curl joins them', () => {
    const bodyOf = (options: string) => curlMessages(`curl http://a ${options}`, 'c.txt')[0]?.body?.toString()
    expect(bodyOf("--json '{' --json '}'")).toBe('{}')
    expect(bodyOf('-d a --data-raw b')).toBe('a&b')
    expect(bodyOf(`-G -d '${BODY}'`)).toBeUndefined()
  })

  test('a command is found after a prompt, a comment and `--next`, and ends at a pipe', async () => {
    const command = `curl -H 'X-A: 1' -d '${BODY}' http://a`
    for (const [text, count] of [
      [`$ ${command} | jq .`, 1],
      [`#!/bin/sh\n# A comment: it's ok\n${command} > out.txt 2>&1\n`, 1],
      [`${command} --next -d '${BODY}' http://b`, 2],
      [`% ${command}\n$ ${command}`, 2],
    ] as const) {
      const { format, messages, bodies } = await read(text)
      expect([format, bodies]).toEqual(['curl', Array(count).fill(BODY)])
      expect(messages[0]?.about).toBe('POST http://a')
    }
  })

  test('a body that the command does not contain is named', () => {
    expect(() => curlMessages('curl http://a -d @-', 'c.txt')).toThrow('c.txt line 1: the body is read from stdin.')
    for (const option of ['-F a=b', '--data-urlencode a=b', '-T body.json', '-d a -F b=c'])
      expect(curlMessages(`curl http://a ${option}`, 'c.txt')[0]?.noBody).toMatch(
        /^the option (-F|--data-urlencode|-T) /,
      )
  })

  test('a command that cannot be read names the reason', () => {
    expect(() => curlMessages('wget http://a', 'c.txt')).toThrow('c.txt does not begin with a curl command.')
    expect(() => curlMessages('curl http://a -d @body.json', 'c.txt')).toThrow('the body is in the file body.json.')
    expect(() => curlMessages('curl ^"http://a^"', 'c.txt')).toThrow('for the Windows command prompt')
    expect(() => curlMessages("curl http://a\n -d 'x", 'c.txt')).toThrow('c.txt line 2 has a quote that is not closed')
  })
})
