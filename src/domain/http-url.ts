import { parsedUrl } from './parsed-url.ts'

/** Whether `text` is an absolute http or https URL, without blanks and control characters. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && parsedUrl(text) !== undefined
}
