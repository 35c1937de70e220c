// Spec 2.7 and 7: the error object, and the table of codes.
import { expect, test } from 'vitest'
import { API_ERRORS, RefusalError, refuse } from '../../src/domain/errors.ts'
import { openSandboxAdapter } from '../contract/adapter.ts'
import { casesOf } from '../contract/cases.ts'
import { contractSuite } from '../contract/suite.ts'

contractSuite('7 errors', openSandboxAdapter, casesOf('7'))

test.each([
  ['bad_request', 400],
  ['signature_required', 400],
  ['invalid_signature', 400],
  ['unauthorized', 401],
  ['live_not_enabled', 403],
  ['ip_not_allowed', 403],
  ['aml_blocked', 403],
  ['forbidden_purpose', 403],
  ['not_found', 404],
  ['method_not_allowed', 405],
  ['idempotent_conflict', 409],
  ['not_pending', 409],
  ['not_refundable', 409],
  ['already_refunded', 409],
  ['payload_too_large', 413],
  ['amount_exceeds_remainder', 422],
  ['route_not_configured', 422],
  ['method_not_supported', 422],
  ['rate_limited', 429],
  ['internal_error', 500],
  ['router_error', 502],
] as const)('the code %s has the status %i', (code, status) => {
  expect(API_ERRORS[code].status).toBe(status)
  const refusal = refuse(code)
  expect(refusal).toBeInstanceOf(RefusalError)
  expect(refusal).toMatchObject({ status, message: API_ERRORS[code].message })
})
