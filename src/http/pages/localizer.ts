// Localizes texts, money and durations for one response.
import { parseAccept } from 'hono/utils/accept'
import { minorUnits } from '../../domain/currency.ts'
import type { Payment } from '../../domain/payment.ts'
import type { PageMethod, PaymentMethod } from '../../domain/payment-methods.ts'
import { FAILURE_MESSAGES } from './failure-messages.ts'
import { HOME_MESSAGES, LANGUAGES, type Language, MESSAGES, type Translation } from './messages.ts'
import { METHOD_DISPLAY } from './method-display.ts'
import { PANEL_MESSAGES } from './panel-messages.ts'

const ALL_MESSAGES = { ...MESSAGES, ...PANEL_MESSAGES, ...HOME_MESSAGES }

export type MessageKey = keyof typeof ALL_MESSAGES

export interface Localizer {
  readonly language: Language
  /** How users run psp: `psp` or `npx psp`. Texts contain it in their commands. */
  readonly pspCommand: string
  /** Returns a message with its `{placeholders}` filled in. */
  text(key: MessageKey, values?: { readonly [placeholder: string]: string | number }): string
  method(method: PaymentMethod): string
  /** Returns the short name of a method, for a narrow space. */
  shortName(method: PageMethod): string
  /** Returns the text below the name of a method that the buyer can choose. */
  hint(method: PageMethod): string
  /** Formats minor units, such as `1 500,00 ₽`. */
  money(amount: number, currency: string): string
  /** Formats a time of the sandbox's clock, such as `6 May 2026 at 09:00 UTC`. */
  dateTime(time: number): string
  /** Formats ms, such as `2 min` or `1 h 30 min`. */
  duration(ms: number): string
  /** Returns why a payment failed or expired, or `undefined` if it has no failure code. */
  failure(payment: Payment): string | undefined
}

/** Uses the language of `?lang=`, or the first available one of Accept-Language, or English. */
export function createLocalizer(
  requested: string | undefined,
  accepted: string | undefined,
  pspCommand = 'psp',
): Localizer {
  const language = LANGUAGES.find((each) => each === requested) ?? fromHeader(accepted ?? '') ?? 'en'
  const index = LANGUAGES.indexOf(language)
  const inLanguage = (text: Translation) => text[index] ?? text[0]
  return {
    language,
    pspCommand,
    text: (key, values = {}) =>
      inLanguage(ALL_MESSAGES[key])
        .replaceAll('`psp ', `\`${pspCommand} `)
        .replace(/\{(\w+)\}/g, (placeholder, name) => String(values[name] ?? placeholder)),
    method: (method) => inLanguage(METHOD_DISPLAY[method].name),
    shortName: (method) => inLanguage(METHOD_DISPLAY[method].short ?? METHOD_DISPLAY[method].name),
    hint: (method) => inLanguage(METHOD_DISPLAY[method].hint),
    duration: (ms) => duration(ms, (unit) => inLanguage(ALL_MESSAGES[unit])),
    dateTime: (time) => dateTime(time, language),
    money: (amount, currency) => money(amount, currency, language),
    failure({ metadata }) {
      const code = metadata['failure_code']
      if (code === undefined || !Object.hasOwn(FAILURE_MESSAGES, code)) return undefined
      return inLanguage(FAILURE_MESSAGES[code as keyof typeof FAILURE_MESSAGES])
    },
  }
}

function fromHeader(header: string): Language | undefined {
  const tags = parseAccept(header.slice(0, 500)).flatMap(({ type, q }) =>
    q > 0 ? type.toLowerCase().split('-')[0] : [],
  )
  return tags.flatMap((tag) => LANGUAGES.find((each) => each === tag) ?? [])[0]
}

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1000],
  ['milliseconds', 1],
] as const satisfies readonly (readonly [MessageKey, number])[]

function duration(ms: number, name: (unit: MessageKey) => string): string {
  let rest = ms
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [`${count}\u00a0${name(unit)}`]
  })
  return parts.length === 0 ? `0\u00a0${name('seconds')}` : parts.join(' ')
}

function dateTime(time: number, language: Language): string {
  const locale = language === 'en' ? 'en-GB' : language
  return `${new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`
}

/** Uses the fraction digits of ISO 4217, not those of Intl, and a decimal string, because a number loses digits. */
function money(amount: number, currency: string, language: Language): string {
  const fraction = minorUnits(currency) ?? 2
  const digits = String(amount).padStart(fraction + 1, '0')
  const whole = digits.slice(0, digits.length - fraction)
  const decimal = fraction === 0 ? whole : `${whole}.${digits.slice(-fraction)}`
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: fraction,
    maximumFractionDigits: fraction,
  })
  return format.format(decimal as `${number}`)
}
