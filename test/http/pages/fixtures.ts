// A sandbox with payments, and a buyer without a script who opens pages and sends forms.

import { assembleSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox.ts'
import { NOT_BUILT } from '../dashboard/fixtures.ts'

const BASE = 'http://127.0.0.1:7770'

export interface PageFixture {
  readonly sandbox: Sandbox
  create(body?: object): Promise<string>
  payment(id: string): Promise<Record<string, unknown> & { metadata: Record<string, string> }>
  /** Refunds the whole payment. */
  refund(id: string): Promise<void>
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Opens the page as a browser does. */
  open(id: string, query?: string, headers?: Record<string, string>): Promise<string>
  status(id: string): Promise<Record<string, unknown>>
  /** Returns the current token of the forms. */
  token(id: string): Promise<string>
  /** Sends a form of the page, with its token. */
  post(id: string, part: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Response>
}

export const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
export const CARD = { number: '2200 0000 0001 0003', expiry: '12/30', cvc: '123', holder: 'Ivan Petrov' }

export async function createPageFixture(options: SandboxOptions = {}): Promise<PageFixture> {
  const sandbox = await assembleSandbox({
    clock: { mode: 'frozen' },
    // Whether the dashboard was built must not change the page.
    dashboardFiles: NOT_BUILT,
    ...options,
  })
  const key = sandbox.defaultShop().api_key
  const ask = (path: string, init?: RequestInit) => sandbox.fetch(new Request(BASE + path, init))
  const api = (path: string, init: RequestInit = {}) =>
    ask(`/v1/public${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
  const open: PageFixture['open'] = async (id, query = '', headers = {}) =>
    (await ask(`/pay/${id}${query}`, { headers: { ...BROWSER, ...headers } })).text()
  const token = async (id: string) => /name="token" value="([^"]+)"/.exec(await open(id))?.[1] ?? ''
  return {
    sandbox,
    ask,
    open,
    token,
    async create(body = {}) {
      const response = await api('/payments', {
        method: 'POST',
        body: JSON.stringify({ amount: 150_000, order_id: 'A-1', ...body }),
      })
      const created = (await response.json()) as { payment: { id: string }; payment_url: string }
      if (created.payment_url !== `${BASE}/pay/${created.payment.id}`) throw new Error(JSON.stringify(created))
      return created.payment.id
    },
    async refund(id) {
      const { status } = await api(`/payments/${id}/refund`, { method: 'POST', body: '{}' })
      if (status !== 200 && status !== 201) throw new Error(`The refund was rejected: ${status}`)
    },
    payment: async (id) => (await api(`/payments/${id}`)).json() as ReturnType<PageFixture['payment']>,
    status: async (id) => (await ask(`/pay/${id}/status`)).json() as Promise<Record<string, unknown>>,
    async post(id, part, fields = {}, headers = {}) {
      return ask(`/pay/${id}/${part}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ token: await token(id), ...fields }).toString(),
      })
    },
  }
}
