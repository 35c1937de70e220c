// Rewrites the error of a rejected import to name the file and line.
import { ApiError } from '../../../client/errors.ts'
import { encodingFault, jsonFault } from '../../../domain/json-fault.ts'

/** Returns other errors unchanged. @param bytes the sent bytes */
export function refusedFile(error: unknown, file: string, bytes: Buffer): unknown {
  if (!(error instanceof ApiError) || error.status !== 400) return error
  const fault = encodingFault(bytes) ?? syntaxFault(bytes)
  const what =
    fault === undefined
      ? `${file}${rowPlace(bytes, error.message)}: ${error.message}`
      : `${file}:${fault.line}:${fault.column}: ${fault.why}. Nothing was changed.`
  const hint = 'Correct the file, or write another with `psp store export FILE`.'
  return new ApiError(error.status, error.code, what, error.retryAfter, hint)
}

function syntaxFault(bytes: Buffer) {
  const text = bytes.toString()
  try {
    JSON.parse(text)
    return undefined
  } catch {
    const { why, ...place } = jsonFault(text)
    return { ...place, why: `not JSON: ${why}` }
  }
}

/** Returns `:57` for `tables.payments[3].amount: …`, if each row is on one line as in an export. */
function rowPlace(bytes: Buffer, message: string): string {
  const [, table, index] = /^tables\.(\w+)\[(\d+)\]/.exec(message) ?? []
  const head = table === undefined ? -1 : bytes.indexOf(`\n"${table}":[\n`)
  if (head < 0) return ''
  const before = bytes.toString('latin1', 0, head).split('\n').length
  const rows = bytes.toString('latin1', head + 1).split('\n', Number(index) + 2)
  return rows.length === Number(index) + 2 && rows.slice(1).every((row) => row.startsWith('{"'))
    ? `:${before + rows.length}`
    : ''
}
