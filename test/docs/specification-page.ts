// Explains references such as `Spec 4.4`, and lists the tests of each section.
import { sources } from '../architecture/source.ts'
import { code, page, table } from './markdown.ts'

/** The sections in the order of the specification. 5.1 to 5.9 are the numbered points of its section 5. */
export const SECTIONS: readonly (readonly [section: string, about: string])[] = [
  ['1', 'the service as a whole: its parties, its two modes, and the formats of times, amounts and ids'],
  ['2', 'the objects in requests and responses'],
  ['2.1', 'a payment: its fields, their types, and when each is present'],
  ['2.2', 'the response to a new payment: the link for the buyer, the mode, and the fields of one mode only'],
  ['2.3', 'a refund'],
  ['2.4', 'a payout, and the response to a new one'],
  ['2.5', 'a bank of the directory'],
  ['2.6', 'metadata: the pairs of the merchant, and the keys that the service overwrites'],
  ['2.7', 'the shape of an error'],
  ['3', 'the transitions between statuses'],
  ['3.1', 'payments: from creation through the bank session to a final status, and the events'],
  ['3.2', 'refunds'],
  ['3.3', 'payouts'],
  ['3.4', 'the return of the buyer to the shop: when, to which address, and with which parameters'],
  ['4', 'the operations, each with its body, headers and responses'],
  ['4.1', 'create a payment'],
  ['4.2', 'get a payment'],
  ['4.3', 'cancel a payment that is still pending'],
  ['4.4', 'refund a payment, completely or in parts, up to the amount paid'],
  ['4.5', 'create a payout'],
  ['4.6', 'get a payout'],
  ['4.7', 'list the banks'],
  ['4.8', 'open the event stream'],
  ['5', 'who may send requests, and how a request is repeated safely'],
  ['5.1', 'the API key and its header'],
  ['5.2', 'test keys and live keys'],
  ['5.3', 'keys belong to a shop, and are shown once'],
  ['5.4', 'the allow-list of addresses'],
  ['5.5', 'signed requests'],
  ['5.6', 'two secrets: one for requests to the service, one for its webhooks'],
  ['5.7', 'Idempotency-Key'],
  ['5.8', "what only the service's dashboard can change"],
  ['5.9', 'the response 401'],
  ['6', 'how results are reported'],
  ['6.1', 'webhooks: endpoints, events, headers, signatures, and the retry schedule'],
  ['6.2', 'the event stream'],
  ['7', 'error codes by status, and the codes of refused operations'],
  ['8', 'limits: lengths, amounts, times, rates'],
  ['9', 'versions'],
]

export function specificationPage(): string {
  const tests = sources('test/spec').map(({ path, text }) => ({ path, sections: citedFirst(text) }))
  const citing = (section: string) => tests.filter(({ sections }) => sections.includes(section))
  const rows = SECTIONS.map(([section, about]) => {
    const chapter = section.replace(/\..*/, '')
    const files = new Set([...citing(section), ...citing(chapter)])
    return [section, about, files.size === 0 ? partsOf(section) : [...files].map(({ path }) => nameOf(path)).join(', ')]
  })
  return page('The specification by section', [
    'psp implements the public specification of a payment service. `// Spec 4.4` in the code names the section that a line implements. This page summarizes each section. The [decisions](../decisions/) explain what psp does if the specification leaves a point open, and the [public API](public-api.md) describes the interface.',
    table(['section', 'about', 'tests'], rows),
    'The tests define the behaviour. Each file in `test/spec` of the repository is named after a section, and its first line lists all sections that it tests. A file that lists a whole chapter tests its sections as well. Section 1 applies everywhere, and the tests of the other sections cover it.',
  ])
}

/** The sections that the first line of a test file names before its colon. */
export function citedFirst(text: string): string[] {
  return (/^\/\/ Spec ([^:\n]*):/.exec(text)?.[1] ?? '').match(/\d+(?:\.\d+)?/g) ?? []
}

/** The tests of a chapter without a file are those of its sections. */
function partsOf(chapter: string): string {
  const parts = SECTIONS.map(([section]) => section).filter((section) => section.startsWith(`${chapter}.`))
  return parts.length === 0 ? 'all' : `those of ${parts[0]} to ${parts.at(-1)}`
}

/** Returns no link, because the package contains the pages but not the tests. */
function nameOf(path: string): string {
  const name = path.split('/').pop() ?? ''
  return code(name.replace('.test.ts', ''))
}
