// Payment methods for the tests of the page.
import { METHODS, PAGE_METHODS } from '../../../src/domain/payment-methods.ts'

const formOf = (method: (typeof PAGE_METHODS)[number]) => METHODS[method].page

/** `any`, and the first method of each form of the page. */
export const METHOD_PER_FORM = [
  'any' as const,
  ...PAGE_METHODS.filter((method) => PAGE_METHODS.find((each) => formOf(each) === formOf(method)) === method),
]

/** The methods that are paid in an app. */
export const WALLETS = PAGE_METHODS.filter((method) => formOf(method) === 'wallet')
