/** An HTTP request or response that the server logged. */
export interface MessageView {
  readonly headers?: { readonly [name: string]: string } | readonly (readonly [string, string])[]
  readonly body?: string | null
  readonly body_b64?: string
  /** The end of the body was not stored. */
  readonly truncated?: true
  /** Why the body is shown as received. */
  readonly note?: string
}
