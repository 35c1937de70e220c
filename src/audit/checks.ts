import type { Check } from './check.ts'
import { CONTENT_CHECKS } from './content-checks.ts'
import { EFFECT_CHECKS } from './effect-checks.ts'
import { RETURN_PAGE } from './return-check.ts'
import { SIGNATURE_CHECKS } from './signature-checks.ts'

/** The checks in the order in which they run. The first one also shows whether anything listens at the URL. */
export const CHECKS: readonly Check[] = [...SIGNATURE_CHECKS, ...CONTENT_CHECKS, ...EFFECT_CHECKS]

/** The ids of all checks, including the one that needs the address of a page. */
export const CHECK_IDS: readonly string[] = [...CHECKS.map(({ id }) => id), RETURN_PAGE]
