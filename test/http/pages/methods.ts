// The methods as the page's tests walk through them.
import { METHODS, PAGE_METHODS } from '../../../src/domain/payment-methods.ts'

const formOf = (method: (typeof PAGE_METHODS)[number]) => METHODS[method].page

/** `any`, and the first method of each form that the page has. */
export const METHOD_PER_FORM = [
  'any' as const,
  ...PAGE_METHODS.filter((method) => PAGE_METHODS.find((each) => formOf(each) === formOf(method)) === method),
]

/** Those that are paid in one app. */
export const WALLETS = PAGE_METHODS.filter((method) => formOf(method) === 'wallet')
