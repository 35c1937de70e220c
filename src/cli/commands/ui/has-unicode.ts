type Env = Readonly<Record<string, string | undefined>>

/** By the locale, as every terminal program decides it; where none is set, terminals of today have Unicode. */
export function hasUnicode(env: Env): boolean {
  if (env['TERM'] === 'linux') return false
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return locale === '' || /utf-?8/i.test(locale)
}
