// `npm run docs` writes docs/reference/. An ordinary run fails if a page differs from the code.
import { expect, test } from 'vitest'
import { controlApiPage } from './control-api-page.ts'
import { faultsPage } from './faults-page.ts'
import { jsonLinesPage } from './json-lines-page.ts'
import { modulesPage } from './modules-page.ts'
import { outcomesPage } from './outcomes-page.ts'
import { publicApiPage } from './public-api-page.ts'
import * as reference from './reference-text.ts'
import { seedPage } from './seed-page.ts'
import { specificationPage } from './specification-page.ts'

const PAGES = [
  ['settings', reference.settingsPage],
  ['seed', seedPage],
  ['json-lines', jsonLinesPage],
  ['configuration', reference.configurationPage],
  ['exit-codes', reference.exitCodesPage],
  ['errors', reference.errorsPage],
  ['public-api', publicApiPage],
  ['outcomes', outcomesPage],
  ['faults', faultsPage],
  ['control-api', controlApiPage],
  ['modules', modulesPage],
  ['commands', reference.commandsPage],
  ['specification', specificationPage],
] as const

test.each(PAGES)('docs/reference/%s.md agrees with the code', async (name, text) => {
  await expect(text(), 'Run `npm run docs`, and look at what it changed.').toMatchFileSnapshot(
    `../../docs/reference/${name}.md`,
  )
})
