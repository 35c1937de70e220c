// User name and password in a URL: nobody sends them on, and they would show wherever the URL does.

const BEFORE_HOST = /^\s*(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#\\]*@/i

/** True of `http://user:pw@host/`. */
export function hasUserInfo(url: string): boolean {
  return BEFORE_HOST.test(url)
}

/** What a refusal expects instead. */
export const WITHOUT_USER_INFO = 'a URL without user name and password (a token in the path or query is sent)'

/** `http://user:pw@host/` anywhere in a text to `http://***@host/`, in JSON too. */
export function maskUserInfo(text: string): string {
  return text.includes('@') ? text.replace(/(https?:(?:\\?\/){2})[^\s/?#"'\\]*@/gi, '$1***@') : text
}
