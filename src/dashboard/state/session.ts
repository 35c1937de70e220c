// The access of this browser tab: the server's address and the token, which is kept until the tab is closed.
import { assembleClient, type Client } from '../../client/assemble-client.ts'
import { browserFetch } from './browser-fetch.ts'
import { isRejectedToken } from './rejected-token.ts'

export interface Session {
  readonly client: Client
  /** Base URL of the server, without a slash at its end. */
  readonly base: string
  /** True: the token permits only reading, so no action is shown. */
  readonly readOnly: boolean
  readonly version: string
  /** How users run psp: `psp` or `npx psp`. */
  readonly command: string
}

/** `sign_in`: the server needs a token. `wrong_token`: the server rejected the token. */
export type Access =
  | { readonly kind: 'open'; readonly session: Session }
  | { readonly kind: 'sign_in' | 'wrong_token' }
  | { readonly kind: 'failed'; readonly message: string }

const TOKEN = 'psp-token'

/** Moves a token from the fragment of a link to the session, so that the address bar does not show it. */
export function takeTokenOfLink(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null) return
  saveToken(token)
  history.replaceState(history.state, '', location.pathname + location.search)
}

export function saveToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(TOKEN)
  else sessionStorage.setItem(TOKEN, token)
}

export function hasToken(): boolean {
  return sessionStorage.getItem(TOKEN) !== null
}

/** @param base see {@link Session} */
export async function openSession(base: string): Promise<Access> {
  const controlToken = sessionStorage.getItem(TOKEN) ?? undefined
  const client = assembleClient({ fetch: browserFetch, baseUrl: base, controlToken }, () => '')
  try {
    const { version, access, command = 'psp' } = await client.control.health()
    // If a request lacks the token, the response contains only the status.
    if (version === undefined) return { kind: 'sign_in' }
    return { kind: 'open', session: { client, base, readOnly: access === 'view', version, command } }
  } catch (error) {
    if (isRejectedToken(error)) return { kind: 'wrong_token' }
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}
