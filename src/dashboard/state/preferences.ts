// Theme and language of this browser.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { LANGUAGES, type Language } from '../text/translate.ts'

export type Theme = 'system' | 'light' | 'dark'

export interface Preferences {
  readonly theme: Theme
  readonly language: Language
  setTheme(theme: Theme): void
  setLanguage(language: Language): void
}

const THEME = 'psp-theme'
const LANGUAGE = 'psp-language'

export function readTheme(): Theme {
  const stored = read(THEME)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Uses the stored language, or the one in which the server rendered the page. */
export function readLanguage(): Language {
  const stored = read(LANGUAGE) ?? document.documentElement.lang
  return LANGUAGES.find((each) => each === stored) ?? 'en'
}

export function saveTheme(theme: Theme): void {
  write(THEME, theme)
  applyTheme(theme)
}

export function saveLanguage(language: Language): void {
  write(LANGUAGE, language)
  document.documentElement.lang = language
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** A browser may forbid storage. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // The preference lasts until the page is closed.
  }
}

export const PreferencesContext = createContext<Preferences | undefined>(undefined)

export const usePreferences = (): Preferences => useContext(PreferencesContext) as Preferences
