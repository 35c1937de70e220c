import { containsCard } from './card-masking.ts'
import { editJson } from './edit-json.ts'
import { isAmountInField } from './field-names.ts'
import { maskSecrets } from './secrets.ts'

/**
 * Whether no key and no value contains a secret or a card number. Amounts are not checked, because an amount can have
 * the digits of a card number.
 * @param text valid JSON
 */
export function isCleanJson(text: string): boolean {
  let isClean = true
  editJson(text, ({ kind, path, value }) => {
    const isAmount = kind !== 'key' && isAmountInField(path, value)
    isClean &&= isAmount || (maskSecrets(value) === value && !containsCard(value))
    return undefined
  })
  return isClean
}
