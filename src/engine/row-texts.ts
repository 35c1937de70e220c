// What the texts of stored rows may hold that are more than words of a merchant.
import * as z from 'zod'

/** It stands in lines of output. */
export const plain = z
  .string()
  .min(1)
  .regex(/^\P{Cc}*$/u, 'expected no control characters')

export const short = plain.max(200)

/** It is one part of a path, in `/v1/public/payments/<id>` and in links that people copy. */
export const id = short.regex(/^(?!\.{1,2}$)[^\s/\\?#%]*$/, 'expected no slash, space, ? # or %, and neither . nor ..')
