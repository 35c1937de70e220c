// User name and password in a URL, which are not sent and would be shown wherever the URL is.

const BEFORE_HOST = /^\s*(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#\\]*@/i

/** Whether a URL is like `http://user:pw@host/`. */
export function hasUserInfo(url: string): boolean {
  return BEFORE_HOST.test(url)
}

/** The expected value, for error messages. */
export const WITHOUT_USER_INFO = 'a URL without user name and password (a token in the path or the query is allowed)'

/** Replaces `http://user:pw@host/` by `http://***@host/` anywhere in a text, including JSON. */
export function maskUserInfo(text: string): string {
  return text.includes('@') ? text.replace(/(https?:(?:\\?\/){2})[^\s/?#"'\\]*@/gi, '$1***@') : text
}
