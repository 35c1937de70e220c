// Replaces modules that the dashboard does not need. scripts/build-dashboard.mjs lists them.
import type * as args from '../client/call-arguments.ts'
import type * as hints from '../client/hints.ts'
import type * as failures from '../client/network-failures.ts'
import type * as names from '../domain/closest-name.ts'
import type * as addresses from '../domain/typed-address.ts'
import type * as changeRates from '../view-model/rates.ts'
import type * as messageRows from '../view-model/rows/message-rows.ts'

// The compiler checks the calls of the dashboard, so their arguments need no checks.
export const requireObject: typeof args.requireObject = (_, value) => value
export const optionalObject: typeof args.optionalObject = (_, value) => value
export const requireOptions: typeof args.requireOptions = () => {}
export const oneObject: typeof args.oneObject = <T>(_: string, [value]: readonly unknown[]) => value as T
export const filterOf: typeof args.filterOf = (_, filter) => filter as ReturnType<typeof args.filterOf>
export const pathSegment: typeof args.pathSegment = encodeURIComponent

// The hints name commands of the terminal.
export const CORRECT_REQUEST = ''
export const NOT_REACHED = ''
export const hintFor: typeof hints.hintFor = () => ''
export const lostResponseHint: typeof hints.lostResponseHint = () => ''

// Browsers do not report the cause of a network failure.
export const reasonOf: typeof failures.reasonOf = (cause) => (cause instanceof Error ? cause.message : String(cause))
export const wasSent: typeof failures.wasSent = () => false

/** Returns the first name that begins with the same four letters. The library that counts typos is too large. */
export const closestName: typeof names.closestName = (name, known) =>
  name.length < 4 ? undefined : known.find((each) => each.startsWith(name.slice(0, 4)))

// The base URL comes from the page, so no user typed it.
export const requireAddress: typeof addresses.requireAddress = String

// The dashboard shows no rate of changes.
export const countChanges: typeof changeRates.countChanges = ({ rates }) => rates
export const advanceTo: typeof changeRates.advanceTo = (rates) => rates

// The dashboard has no list of messages.
export const addMessageRows: typeof messageRows.addMessageRows = (stream) => stream
