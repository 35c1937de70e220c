// The diagnosis of an attempt in Russian.
import { describe, expect, it } from 'vitest'
import { causeAndAdvice, describeFailure, describeTimeout } from '../../../src/domain/receiver-failures.ts'
import { FIXES, fixesForResponse, fixForResponse } from '../../../src/domain/remediation.ts'
import { signatureHeader } from '../../../src/domain/signatures.ts'
import { inRussian } from '../../../src/http/control/russian-diagnosis.ts'
import { explainSignature } from '../../../src/webhooks/explain-signature.ts'
import { knownSecrets } from '../../../src/webhooks/known-secrets.ts'
import { openSandbox } from '../fixtures.ts'

const [SECRET, OTHER, SIGNING] = ['whs_local_secret_0001', 'whs_other_secret_0002', 'thm_local_secret_0003']
const NOW = Date.UTC(2026, 4, 6, 12)
const BODY = JSON.stringify({ id: 'evt_1', event: 'payment.succeeded', data: { url: 'https://shop.example/' } })

const russian = (message: string, advice: string | null = null) =>
  inRussian({ attempt: 1, signature: 'valid', cause: null, message, advice })

/** Returns the English words that are in no code, quotation, path or name of a file. */
function englishWords(text: string): readonly string[] {
  const prose = text
    .replace(/`[^`]*`|"[^"]*"|\b(Express|Flask|PHP): .+?(?= на этом|\. [A-ZА-Я]|\.$)|<[^>]*>/g, '')
    .replace(/\S*[=_/().:]\S*/g, '')
  const terms =
    /^(JSON|POST|URL|HTTP|TLS|CSRF|BOM|UTF|LF|CRLF|PHP|ASCII|HMAC|NTP|Unix|hex|base64|v[12]|psp|printf|echo|autocrlf|metadata|application|json|express|file|get|contents|php|input|Content|Length|xx|x)$/
  return (prose.match(/[A-Za-z][A-Za-z0-9]*/g) ?? []).filter((word) => !terms.test(word))
}

function explain(header: string | undefined, body: string | Buffer = BODY, secrets: readonly string[] = [SECRET]) {
  const shop = {
    id: 's',
    name: 'Лавка',
    signing_secret: SIGNING,
    webhook_secret: SECRET,
    former_secrets: ['whs_former'],
  }
  const known = knownSecrets([shop], [{ url: 'http://127.0.0.1:1/', secret: OTHER, former_secrets: [] }])
  return explainSignature({ rawBody: body, header, secrets, known, storedBody: BODY, now: NOW }).message
}

const signed = (secret = SECRET, body = BODY, at = NOW) =>
  signatureHeader({ body, secret, timestamp: Math.floor(at / 1000) })

describe('the diagnosis in Russian', () => {
  it.each([
    ['a valid signature', explain(signed())],
    ['a v1 signature', explain(signatureHeader({ body: BODY, secret: SECRET, timestamp: NOW / 1000, version: 'v1' }))],
    ['no header', explain(undefined)],
    ['an empty header', explain('')],
    ['a header that is too long', explain('a'.repeat(2000))],
    ['a header that is not ASCII', explain('подпись')],
    ['a header without names', explain('abc')],
    ['a part that is twice in the header', explain('t=1,t=2')],
    ['a header without hashes', explain('t=1')],
    ['a header without a time', explain('v1=1')],
    ['a time that is not a number', explain('t=x,v1=1')],
    ['a hash that is too short', explain('t=1,v2=ab')],
    ['a hash in base64', explain('t=1,v2=zz+')],
    ['a hash in upper case', explain(signed().replace(/v2=.*/, (part) => part.toUpperCase().replace('V2', 'v2')))],
    ['two forms in one header', explain('sha256=1,t=1')],
    ['an old signature', explain(signed(SECRET, BODY, NOW - 600_000))],
    ['a very old signature', explain(signed(SECRET, BODY, NOW - 90_000_000))],
    ['a signature of the future', explain(signed(SECRET, BODY, NOW + 600_000))],
    ['another secret', explain(signed(OTHER))],
    ['a secret of another kind', explain(signed(SIGNING))],
    ['a given secret of another kind', explain(signed(), BODY, [SIGNING])],
    ['a former secret', explain(signed('whs_former'))],
    ['a given secret from before a rotation', explain(signed(), BODY, ['whs_former'])],
    ['an unknown secret', explain(signed('whs_unknown'))],
    ['a changed body', explain(signed(), BODY.replace('evt_1', 'evt_2'))],
    ['a serialized body', explain(signed(), JSON.stringify(JSON.parse(BODY), null, 2))],
    ['an empty body', explain(signed(), '')],
    ['a parsed body', explain(signed(), '[object Object]')],
    ['half of a body', explain(signed(), BODY.slice(0, 40))],
    ['a byte order mark', explain(signed(), `\ufeff${BODY}`)],
    ['a newline at the end', explain(signed(), `${BODY}\n`)],
    ['escaped slashes', explain(signed(), BODY.replaceAll('/', '\\/'))],
    ['a changed time', explain(signed().replace(/t=\d+/, 't=1'))],
  ])('translates the whole explanation of %s', (_, english) => {
    const { message } = russian(english)
    expect([message, englishWords(message)]).toEqual([expect.stringMatching(/[а-я]/), []])
  })

  it.each(Object.entries(FIXES))('translates the fix %s', (_, english) => {
    expect(englishWords(russian(english).message)).toEqual([])
  })

  it.each([200, 302, 400, 401, 403, 404, 405, 411, 413, 415, 426, 429, 500, 505, 700])(
    'translates the advice on the status %i',
    (status) => {
      for (const accepted of [true, false])
        for (const fix of fixesForResponse(status, '', accepted)) expect(englishWords(russian(fix).message)).toEqual([])
    },
  )

  it.each(['csrf', 'timestamp', 'raw', 'secret'])('translates the advice on a response that contains "%s"', (word) => {
    expect(englishWords(russian(fixForResponse(400, word)).message)).toEqual([])
  })

  it.each(
    ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET', 'PSP_HEAD_OVERFLOW', 'DEPTH_ZERO_CERT', 'EPROTO'].flatMap(
      (code) => {
        const error = Object.assign(new Error('failed'), { code })
        return (['connecting', 'reading'] as const).map((phase) => describeFailure(error, 'http://localhost:1/', phase))
      },
    ),
  )('translates the advice on: %s', (error) => {
    expect(englishWords(russian(causeAndAdvice(error).advice).message)).toEqual([])
  })

  it.each(['connecting', 'waiting'] as const)('translates the advice on a timeout while %s', (phase) => {
    const { advice } = causeAndAdvice(describeTimeout('http://localhost:1/', 1000, phase))
    expect([advice === '', englishWords(russian(advice).message)]).toEqual([false, []])
  })

  it('is returned for `lang=ru`, and another language is refused', async () => {
    const { get, post, shop, pay } = await openSandbox()
    await post(`/shops/${shop}/endpoints`, { url: 'http://127.0.0.1:9/' })
    const id = await pay()
    await post('/clock/advance', { by: '1m' })
    const [delivery] = (await get(`/deliveries?object_id=${id}`)).body.items
    const path = `/deliveries/${delivery.id}/diagnosis`
    expect((await get(`${path}?lang=ru`)).body).toMatchObject({
      message: 'Подпись верна, её время в пределах допуска.',
      advice: 'Ваш сервер запущен?',
    })
    expect((await get(`${path}?lang=en`)).body).toMatchObject({ advice: 'Is your server running?' })
    expect((await get(`${path}?lang=de`)).status).toBe(400)
  })
})
