import type { Check } from './check.ts'
import { CONTENT_CHECKS } from './content-checks.ts'
import { EFFECT_CHECKS } from './effect-checks.ts'
import { RETURN_PAGE } from './return-check.ts'
import { SIGNATURE_CHECKS } from './signature-checks.ts'

/** In the order in which they run. The first finds out whether anybody is there. */
export const CHECKS: readonly Check[] = [...SIGNATURE_CHECKS, ...CONTENT_CHECKS, ...EFFECT_CHECKS]

/** One of them needs an address. */
export const CHECK_IDS: readonly string[] = [...CHECKS.map(({ id }) => id), RETURN_PAGE]
