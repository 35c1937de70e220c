import { expect, test } from 'vitest'
import { NO_TOLERANCE } from '../../src/recordings/compare/compare-json.ts'
import { compareResponse } from '../../src/recordings/compare/compare-response.ts'
import { type RecordedCall, toCallResponse } from '../../src/recordings/compare/recorded-call.ts'

const call = { operation: 'GET /v1/public/banks/sbp', number: 1, method: 'GET' } as RecordedCall
const response = (text: string) => toCallResponse(200, new Map(), text)
const compare = (recorded: string, sandbox: string) =>
  compareResponse(call, response(recorded), response(sandbox), () => NO_TOLERANCE)

test.each([
  ['nested too deeply', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'JSON of more than 64 levels'],
  ['no JSON', '<html>', 'text that is not JSON'],
  ['empty', '', 'no body'],
])('a recorded body that is %s is compared by its kind and not as null', (_, recorded, shown) => {
  const base = { kind: 'type', at: '', entry: 1 }
  expect(compare(recorded, '{"a":1}')).toMatchObject([{ ...base, recorded: shown, sandbox: 'JSON' }])
  expect(compare('null', recorded)).toMatchObject([{ ...base, recorded: 'JSON', sandbox: shown }])
  expect(compare(recorded, recorded)).toEqual([])
})
