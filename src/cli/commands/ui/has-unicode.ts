type Env = Readonly<Record<string, string | undefined>>

/** Decides by the locale. Without one, a modern terminal is assumed to support Unicode. */
export function hasUnicode(env: Env): boolean {
  if (env['TERM'] === 'linux') return false
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return locale === '' || /utf-?8/i.test(locale)
}
