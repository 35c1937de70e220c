// Actions and headings of a buyer on the page, found by their English texts.
import type { Locator, Page } from 'playwright-core'

export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, level: 1 })

/** Resolves when the page has the heading and its script runs. A form leads to a new document, whose script comes later. */
export async function waitForPage(page: Page, name: string): Promise<void> {
  await heading(page, name).waitFor()
  await page.waitForLoadState()
}

export async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').pressSequentially(number)
  await page.getByLabel('Expires').pressSequentially('1239')
  await page.getByLabel('CVC').fill('123')
}
