// Renders short texts: truncated, with code, and names of banks.
import { html } from 'hono/html'
import { type Bank, bankDirectory } from '../../../domain/bank.ts'
import { sanitizeText } from '../../../domain/visible-text.ts'
import type { Localizer } from '../localizer.ts'
import type { Html } from './page-view.ts'

/**
 * Prepares text of a merchant or a receiver. Removes invisible characters, which could reverse digits. Text of more
 * than `length` characters is shortened to that length, with an ellipsis at the end. Never splits a character.
 */
export function truncate(text: string, length: number): string {
  const characters = Array.from(sanitizeText(text.slice(0, length * 2 + 2)))
  if (characters.length <= length) return characters.join('')
  return `${characters.slice(0, length - 1).join('')}…`
}

/** Returns the class of an amount with many characters, which is shown smaller, so that it stays on one line. */
export function amountSize(amount: string): 'is-longest' | 'is-long' | '' {
  return amount.length > 18 ? 'is-longest' : amount.length > 12 ? 'is-long' : ''
}

/** Renders text between backticks as `<code>`, which has no line breaks. */
export function inlineCode(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`
}

export function bankName({ language }: Localizer, bank: Bank): string {
  return language === 'ru' ? bank.name : bank.name_en
}

/** Localizes the bank name of a payment, which is stored in Russian. */
export function storedBankName(localizer: Localizer, name: string): string {
  const bank = bankDirectory('full').find((each) => each.name === name)
  return bank === undefined ? name : bankName(localizer, bank)
}
