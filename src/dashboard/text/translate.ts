// Texts in the language of the user. Of the values of the API, only statuses, outcomes and sources are translated.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { failureInRussian } from '../../domain/russian-receiver-failures.ts'
import { durationInWords } from '../../domain/time.ts'
import { formatApproxDuration } from '../../domain/time-text.ts'
import { russianLabel } from './labels.ts'
import { MESSAGES, type MessageKey } from './messages.ts'

export const LANGUAGES = ['en', 'ru'] as const
export type Language = (typeof LANGUAGES)[number]

export interface Translate {
  /** Returns a message with its `{placeholders}` filled in. */
  (key: MessageKey, values?: Readonly<Record<string, string | number>> | object): string
  readonly language: Language
  /** How users run psp: `psp` or `npx psp`. */
  readonly command: string
  /** Translates a status or an English label of the shared view model. Returns unknown labels unchanged. */
  label(english: string): string
  /** Translates a value of the API that can be chosen, and adds the value itself. */
  choice(value: string): string
  /** Translates the result of a webhook attempt, which is a status or an English error. */
  result(english: string): string
  /** Formats a count as the language does, such as `10,000`. */
  number(count: number): string
  /** Formats a duration of ms as the command line does, such as `28 min 57 s`. */
  duration(ms: number): string
  /** Formats a duration of ms roughly, such as `5 min`. */
  span(ms: number): string
}

const UNITS: Readonly<Record<string, string>> = { ms: 'мс', s: 'с', min: 'мин', h: 'ч', d: 'д' }

export function createTranslate(language: Language, command = 'psp'): Translate {
  const index = LANGUAGES.indexOf(language)
  const label = (english: string) => (language === 'ru' ? russianLabel(english) : english)
  const translate = (key: MessageKey, values: object = {}) =>
    MESSAGES[key][index]?.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = String((values as Record<string, unknown>)[name] ?? placeholder)
      return name === 'status' ? label(value) : value
    }) ?? key
  const units = (text: string) => (language === 'ru' ? text.replace(/[a-z]+/g, (unit) => UNITS[unit] ?? unit) : text)
  return Object.assign(translate, {
    language,
    command,
    number: (count: number) => count.toLocaleString(language),
    span: (ms: number) => units(formatApproxDuration(ms)),
    duration: (ms: number) => units(durationInWords(ms)),
    label,
    choice: (value: string) => (label(value) === value ? value : `${label(value)} (${value})`),
    result: (english: string) => (language === 'ru' ? failureInRussian(english) : english),
  })
}

/** @param count the number of rows that were read so far */
export function loadingText(t: Translate, count: number): string {
  return count === 0 ? t('loading') : t('loading_so_far', { count: t.number(count) })
}

export const TextContext = createContext<Translate>(createTranslate('en'))

export const useText = (): Translate => useContext(TextContext)
