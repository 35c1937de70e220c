import { type AppContext, header } from './app-env.ts'

/** Whether the client accepts a response in this content coding. */
export function acceptsEncoding(c: AppContext, coding: 'br' | 'gzip'): boolean {
  const accepted = header(c, 'accept-encoding') ?? ''
  return new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted)
}
