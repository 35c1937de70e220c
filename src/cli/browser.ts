// Opening a page for the person in front of the machine.
import { CliError } from './failure.ts'

export async function openBrowser(url: string): Promise<void> {
  const { default: open } = await import('open')
  try {
    await open(url)
  } catch (error) {
    throw new CliError('failed', `No browser could be started: ${(error as Error).message}`, `Open it by hand: ${url}`)
  }
}
