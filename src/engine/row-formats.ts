// The formats of values in stored rows: times, ids, names, secrets, URLs and codes.
import * as z from 'zod'
import { atMost } from '../domain/characters.ts'
import { isCurrencyCode } from '../domain/currency.ts'
import { hasUserInfo, isHttpUrl, WITHOUT_USER_INFO } from '../domain/http-url.ts'
import { returnUrlIssue } from '../domain/return-url.ts'
import { type SecretName, secretFormat, secretPattern } from '../domain/secrets.ts'
import { LAST_RFC3339_INSTANT } from '../domain/time.ts'

/** A stored time in ms. */
export const time = z.int().min(0).max(LAST_RFC3339_INSTANT)

/** Used in lines of output, so it has no control characters. */
export const plainText = z
  .string()
  .min(1)
  .regex(/^\P{Cc}*$/u, 'expected no control characters')

export const shortText = plainText.refine(atMost(200), 'expected at most 200 characters')

/** An id is a segment of paths such as `/v1/public/payments/<id>`. */
export const id = shortText.regex(
  /^(?!\.{1,2}$)[^\s/\\?#%]*$/,
  'expected no slash, space, ? # or %, and neither . nor ..',
)

/** Spec 5.6. */
export const secret = (name: SecretName) => z.string().regex(secretPattern(name), `expected ${secretFormat(name)}`)

/** A string that is never empty, because the API treats an empty string as absent (Spec 4). */
export const nonEmpty = z.string().min(1, 'expected a string that is not empty')

/** The name of a shop or merchant. */
export const name = z
  .string()
  .min(1, 'expected a name')
  .refine(atMost(200), 'expected a name of at most 200 characters')

/** Spec 2.1. The currency decides how amounts are printed. */
export const currency = z
  .string()
  .refine(isCurrencyCode, { error: 'expected an active ISO 4217 code in upper case, such as RUB' })

export const httpUrl = z
  .string()
  .refine(isHttpUrl, { error: 'expected an absolute http or https URL' })
  .refine((url) => !hasUserInfo(url), { error: `expected ${WITHOUT_USER_INFO}` })

/** Spec 4.1. Accepts loopback http, because `http_return_url` may have been on when the payment was created. */
export const returnUrl = z.string().refine((url) => returnUrlIssue(url, { allowLoopbackHttp: true }) === undefined, {
  error: 'expected an absolute URL that starts with https://, or with http:// and a host of this machine',
})

/** Spec 4.5. */
export const phone = z.string().regex(/^\+7\d{10}$/, 'expected +7 and 10 digits')
export const bankId = z.string().regex(/^\d{12}$/, 'expected 12 digits')
export const oneLine = nonEmpty.regex(/^[^\r\n\u2028\u2029]*$/, 'expected one line, without a line break')
