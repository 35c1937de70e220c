// Opening a payment's page for the person in front of the machine.
import type { Client } from '../client/client.ts'
import { CliError } from './failure.ts'

/**
 * The page counts as opened before the browser has started: a browser takes longer than the automatic buyer, who would have
 * paid by then.
 */
export async function openPage(client: Client, paymentId: string, url: string): Promise<void> {
  const path = `/pay/${encodeURIComponent(paymentId)}`
  const reply = await client.raw.public.open({ method: 'GET', path, headers: { Accept: 'text/html' } })
  await reply.text()
  const { default: open } = await import('open')
  try {
    await open(url)
  } catch (error) {
    throw new CliError('failed', `No browser could be started: ${(error as Error).message}`, `Open it by hand: ${url}`)
  }
}

/** The address of a page in this language; without one the page goes by what the browser asks for. */
export function inLanguage(page: string, lang: string | undefined): string {
  return lang === undefined ? page : `${page}?lang=${lang}`
}
