// The diagnosis of an attempt in the languages of the dashboard.
import { expect, it } from 'vitest'
import { diagnosisText } from '../../src/dashboard/text/diagnosis-text.ts'
import { fixForStatus } from '../../src/domain/remediation.ts'
import { causeAndFix, describeFailure, describeTimeout } from '../../src/domain/request-errors.ts'

const VALID = 'The signature matches and its time is within the tolerance.'
const ADVICE = 'The sent bytes and signature are valid, so check the receiver.'

const diagnosis = (message: string, advice: string | null = null, cause: string | null = null) => ({
  attempt: 1,
  signature: cause === null ? ('valid' as const) : ('invalid' as const),
  ...{ message, advice, cause },
})

/** Returns the sentences that stay English in Russian. */
const english = (advice: string) =>
  diagnosisText(diagnosis(VALID, advice), 'ru')
    .flat()
    .flatMap(({ text, lang }) => (lang === 'en' ? [text] : []))

it('English shows the message and the advice of the server', () => {
  expect(diagnosisText(diagnosis(VALID, ADVICE), 'en')).toEqual([[{ text: VALID }], [{ text: ADVICE }]])
  expect(diagnosisText(diagnosis(VALID), 'en')).toEqual([[{ text: VALID }]])
})

it('Russian translates each sentence of a valid signature and of the advice', () => {
  const texts = diagnosisText(diagnosis(VALID, ADVICE), 'ru').flat()
  expect(texts).toHaveLength(2)
  for (const { text, lang } of texts) expect([text, lang]).toEqual([expect.stringMatching(/^[А-Я]/), undefined])
})

it.each(['tampered', 'stale', 'future', 'wrong_secret', 'rotated_secret', 'malformed_header', 'mismatch'])(
  'Russian translates the cause %s and keeps the details of the server in English',
  (cause) => {
    const [first, second] = diagnosisText(diagnosis('Details.', null, cause), 'ru')
    expect(first).toEqual([{ text: expect.stringMatching(/^[А-Я]/) }])
    expect(second).toEqual([{ text: 'Details.', lang: 'en' }])
  },
)

it('a cause without a translation keeps the text of the server', () => {
  expect(diagnosisText(diagnosis('Details.', null, 'constructor'), 'ru')).toEqual([[{ text: 'Details.', lang: 'en' }]])
})

it.each([302, 403, 404, 405, 429, 500, 503])('Russian translates the whole advice on the status %i', (status) => {
  expect(english(`${ADVICE} ${fixForStatus(status)}`)).toEqual([])
})

it('Russian keeps only the code of the frameworks in the advice on a rejected signature', () => {
  for (const sentence of english(fixForStatus(400))) expect(sentence).toMatch(/^(Express|Flask|PHP): /)
})

it.each([
  describeFailure(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 'http://localhost:1/', 'connecting'),
  describeTimeout('http://localhost:1/', 1000, 'connecting'),
  describeTimeout('http://localhost:1/', 1000, 'waiting'),
])('Russian translates the advice on a failed exchange: %s', (error) => {
  expect(english(causeAndFix(error).advice)).toEqual([])
})
