// docs/reference/ says what the code does: `npm run docs` writes the pages, a plain run fails where one differs.
import { expect, test } from 'vitest'
import * as reference from './reference-text.ts'

const PAGES = [
  ['settings', reference.settingsPage],
  ['configuration', reference.configurationPage],
  ['exit-codes', reference.exitCodesPage],
  ['errors', reference.errorsPage],
  ['control-api', reference.controlApiPage],
  ['commands', reference.commandsPage],
] as const

test.each(PAGES)('docs/reference/%s.md', async (name, text) => {
  await expect(text()).toMatchFileSnapshot(`../../docs/reference/${name}.md`)
})
