// What the texts of stored rows may hold that are more than words of a merchant.
import * as z from 'zod'
import { isCurrencyCode } from '../domain/currency.ts'
import { isHttpUrl } from '../domain/http-url.ts'
import { checkReturnUrl } from '../domain/return-url.ts'
import { type SecretName, secretForm, secretPattern } from '../domain/secret-form.ts'
import { atMost } from '../domain/text-length.ts'
import { hasUserInfo, WITHOUT_USER_INFO } from '../domain/user-info.ts'

/** It stands in lines of output. */
export const plain = z
  .string()
  .min(1)
  .regex(/^\P{Cc}*$/u, 'expected no control characters')

export const short = plain.refine(atMost(200), 'expected at most 200 characters')

/** It is one part of a path, in `/v1/public/payments/<id>` and in links that people copy. */
export const id = short.regex(/^(?!\.{1,2}$)[^\s/\\?#%]*$/, 'expected no slash, space, ? # or %, and neither . nor ..')

/** Spec 5.6, however a shop came to it. */
export const secret = (name: SecretName) => z.string().regex(secretPattern(name), `expected ${secretForm(name)}`)

/** A text that the API takes as absent if it is empty (spec 4). */
export const filled = z.string().min(1, 'expected a text that is not empty')

/** Of a shop or merchant, as the control API takes it. */
export const name = z
  .string()
  .min(1, 'expected a name')
  .refine(atMost(200), 'expected a name of at most 200 characters')

/** Spec 2.1: pages and tables write amounts by it. */
export const currency = z
  .string()
  .refine(isCurrencyCode, { error: 'expected an active ISO 4217 code in upper case, such as RUB' })

export const httpUrl = z
  .string()
  .refine(isHttpUrl, { error: 'expected an absolute http or https URL' })
  .refine((url) => !hasUserInfo(url), { error: `expected ${WITHOUT_USER_INFO}` })

/** Spec 4.1. Whether http on this machine was allowed when it was made is not known any more. */
export const returnUrl = z.string().refine((url) => checkReturnUrl(url, { allowLoopbackHttp: true }) === undefined, {
  error: 'expected an absolute URL that starts with https://',
})

/** Spec 4.5. */
export const phone = z.string().regex(/^\+7\d{10}$/, 'expected +7 and 10 digits')
export const bankId = z.string().regex(/^\d{12}$/, 'expected 12 digits')
export const oneLine = filled.regex(/^[^\r\n\u2028\u2029]*$/, 'expected one line, without a line break')
