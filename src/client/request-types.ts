// An entry of the request log, as the control API returns it.

export interface RequestView {
  readonly id?: string | number
  /** The time on the system clock. */
  readonly at?: string
  /** The time on the sandbox's clock. */
  readonly sandbox_at?: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly code?: string | null
  readonly message?: string
  readonly ms: number
  readonly shop_id?: string | null
  readonly mode?: 'test' | 'live'
  readonly key_hint?: string
  readonly idempotency_key?: string
  /** The object that the request created or asked for. */
  readonly object_id?: string
  readonly faults?: readonly string[]
  readonly fault_ids?: readonly string[]
  readonly warnings?: readonly string[]
  /** The source of the plan that decided the outcome, such as `header` or `default`. `null`: there was no plan. */
  readonly decided_by?: string | null
  readonly request?: MessageView
  readonly response?: MessageView
}

/** An HTTP request or response that the server logged. */
export interface MessageView {
  readonly headers?: { readonly [name: string]: string } | readonly (readonly [string, string])[]
  readonly body?: string | null
  readonly body_b64?: string
  /** The end of the body was not stored. */
  readonly truncated?: true
  /** Why the body is shown as received, and not decoded. */
  readonly note?: string
}
