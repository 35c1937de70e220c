import { type Bank, directory } from '../../../domain/bank.ts'
import type { Localizer } from '../localizer.ts'

/** Returns the bank's name in the language of the page. */
export function bankName({ language }: Localizer, bank: Bank): string {
  return language === 'ru' ? bank.name : bank.name_en
}

/** Localizes the bank name of a payment, which is stored in Russian. */
export function storedBankName(localizer: Localizer, name: string): string {
  const bank = directory('full').find((each) => each.name === name)
  return bank === undefined ? name : bankName(localizer, bank)
}
