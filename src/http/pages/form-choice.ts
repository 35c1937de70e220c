// Fields of a form in which only what the page offers can be meant.
import { refuse } from '../../domain/errors.ts'

/**
 * What was picked; `undefined` where the field is absent or empty.
 * @throws RefusalError `bad_request` where it is none of the choices
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
