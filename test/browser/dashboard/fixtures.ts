// Starts a receiver of webhooks, and finds the parts of the page that every journey uses.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'

export interface Receiver {
  readonly url: string
  close(): void
}

export async function createReceiver(
  respond: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<Receiver> {
  const server = createServer((request, response) => respond(response, request))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** @param page returns the page of the running test */
export function dashboardParts(page: () => Page) {
  return {
    button: (name: string | RegExp) => page().getByRole('button', { name, exact: typeof name === 'string' }),
    row: (text: string) => page().getByRole('row').filter({ hasText: text }),
    detail: () => page().getByRole('article'),
    card: (title: string) =>
      page()
        .locator('.card')
        .filter({ has: page().getByRole('heading', { name: title, exact: true }) }),
    toast: (text: string | RegExp) => page().locator('.toast').filter({ hasText: text }).waitFor(),
    confirm: (name: string) => page().getByRole('dialog').getByRole('button', { name }).click(),
  }
}
