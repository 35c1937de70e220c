// What `Spec 4.4` means, section by section, and the tests that hold each.
import { sources } from '../architecture/source.ts'
import { code, page, table } from './markdown.ts'

/** By number, in the order of the specification; 5.1 to 5.9 are the numbered points of its section 5. */
export const SECTIONS: readonly (readonly [section: string, about: string])[] = [
  ['1', 'the service as a whole: who its parties are, its two modes, and how times, amounts and ids are written'],
  ['2', 'the objects that requests and answers carry'],
  ['2.1', 'a payment: its fields, their types, and which of them are there when'],
  ['2.2', 'the answer to a new payment: the link for the buyer, the mode, and what only one mode tells'],
  ['2.3', 'a refund'],
  ['2.4', 'a payout, and the answer to a new one'],
  ['2.5', 'a bank of the directory'],
  ['2.6', "metadata: the merchant's own pairs, and the keys that the service sets over them"],
  ['2.7', 'the shape of an error'],
  ['3', 'which status follows which, and why'],
  ['3.1', 'payments: from creation over the bank session to an end, and what is told on the way'],
  ['3.2', 'refunds'],
  ['3.3', 'payouts'],
  ['3.4', "the buyer's way back to the shop: when, where to, and what is added to the address"],
  ['4', 'the operations: body, headers and answers of each'],
  ['4.1', 'create a payment'],
  ['4.2', 'get a payment'],
  ['4.3', 'cancel a payment that is still pending'],
  ['4.4', 'refund a payment, in whole or in parts, and never more than was paid'],
  ['4.5', 'create a payout'],
  ['4.6', 'get a payout'],
  ['4.7', 'list the banks'],
  ['4.8', 'open the event stream'],
  ['5', 'who may call, and how a call is repeated safely'],
  ['5.1', 'the API key and where it stands'],
  ['5.2', 'test keys and live keys'],
  ['5.3', 'keys belong to a shop, and are shown once'],
  ['5.4', 'the allow-list of addresses'],
  ['5.5', 'signed requests'],
  ['5.6', 'two secrets: one for requests to the service, one for its webhooks'],
  ['5.7', 'Idempotency-Key'],
  ['5.8', 'what only the dashboard changes'],
  ['5.9', 'what 401 says'],
  ['6', 'how results are told'],
  ['6.1', 'webhooks: endpoints, events, headers, signatures, and the ladder of attempts'],
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
    'psp does what the public specification of a payment service says, and `// Spec 4.4` in the code names the section a line comes from. This page says what each section is about, in other words than its own. What psp does where the specification is silent stands in [decisions](../decisions/), and the interface itself in the [public API](public-api.md).',
    table(['section', 'about', 'tests that hold it'], rows),
    'Behaviour is written down in the tests: each file in `test/spec` of the repository is called after a section, and its first line names all that it holds. A file that names a whole chapter holds its sections too. What section 1 says holds everywhere, and so do the tests of the others.',
  ])
}

/** The sections that the first line of a test file names before its colon. */
export function citedFirst(text: string): string[] {
  return (/^\/\/ Spec ([^:\n]*):/.exec(text)?.[1] ?? '').match(/\d+(?:\.\d+)?/g) ?? []
}

/** `2` is held by what holds 2.1 to 2.7. */
function partsOf(chapter: string): string {
  const parts = SECTIONS.map(([section]) => section).filter((section) => section.startsWith(`${chapter}.`))
  return parts.length === 0 ? 'all' : `those of ${parts[0]} to ${parts.at(-1)}`
}

/** No link: the package has the pages and not the tests. */
function nameOf(path: string): string {
  const name = path.split('/').pop() ?? ''
  return code(name.replace('.test.ts', ''))
}
