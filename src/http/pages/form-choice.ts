// Reads form fields that offer a fixed set of choices.
import { refuse } from '../../domain/errors.ts'

/**
 * Returns the selected choice, or `undefined` if the field is absent or empty.
 * @throws RefusalError `bad_request` if the value is not one of the choices
 */
export function readChoice<T extends string | number>(
  form: URLSearchParams,
  field: string,
  choices: readonly T[],
): T | undefined {
  const given = form.get(field) ?? ''
  if (given === '') return undefined
  const found = choices.find((each) => String(each) === given)
  if (found !== undefined) return found
  throw refuse('bad_request', `${field}: ${JSON.stringify(given.slice(0, 60))}`)
}
