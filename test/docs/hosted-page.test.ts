// docs/guides/hosted-page.md agrees with the data and the texts of the page.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import magic from '../../fixtures/magic.json' with { type: 'json' }
import { formatDuration } from '../../src/domain/time.ts'
import { ARRIVAL_ORDERS, BANK_DELAYS } from '../../src/http/pages/panel-faults.ts'
import { PANEL_MESSAGES } from '../../src/http/pages/panel-messages.ts'

const GUIDE = 'docs/guides/hosted-page.md'
const guide = readFileSync(GUIDE, 'utf8')
/** The page keeps a number and its unit together; the guide is plain text. */
const inGuide = (text: string) => text.replaceAll('\u00a0', ' ')
const { confirmed, declined } = magic.three_ds

describe(GUIDE, () => {
  test('the guide lists exactly the magic cards, with their effects', () => {
    const rows = [...guide.matchAll(/^\| `(\d+)` \| (.*) \|$/gm)].map(([, number, does]) => [number, does])
    const cards = Object.entries(magic.cards).map(([number, row]) => [
      number,
      'plan' in row ? `\`${row.plan}\`` : `3-D Secure: confirmed \`${confirmed}\`, declined \`${declined}\``,
    ])
    expect(rows).toEqual(cards)
  })

  test('the guide lists exactly the magic one-time codes', () => {
    const rows = [...guide.matchAll(/^\| (\w+) \| `(\d{6})` \|/gm)].map(([, result, code]) => [result, code])
    expect(Object.fromEntries(rows)).toEqual(magic.three_ds_codes)
    expect(guide).toContain(`after ${magic.three_ds_attempts} wrong codes`)
  })

  test('the guide names the options of the panel as the panel does', () => {
    for (const [name, faults] of Object.entries(ARRIVAL_ORDERS)) {
      if (name === 'normal') continue
      const row = guide
        .split('\n')
        .find((line) => line.startsWith(`| ${inGuide(PANEL_MESSAGES[`order_${name}` as 'order_never'][0])} |`))
      for (const { target, fault } of faults) expect(row).toContain(`\`${target} ${fault}\``)
    }
    expect(guide).toContain(`at once, or ${BANK_DELAYS.map((ms) => formatDuration(ms)).join(', ')} after`)
    for (const key of ['approve', 'decline', 'expire', 'when'] as const)
      expect(guide).toContain(`| ${PANEL_MESSAGES[key][0]} |`)
  })
})

describe.each([GUIDE, 'README.md'])('the pictures of %s', (document) => {
  test('the pictures exist, have a description and are small', () => {
    const text = readFileSync(document, 'utf8')
    const pictures = [...text.matchAll(/(?:src|srcset)="([^"]+\.png)"/g)].map(([, path]) =>
      join(dirname(document), path ?? ''),
    )
    expect(pictures.length).toBeGreaterThan(0)
    for (const path of pictures) {
      expect([path, existsSync(path)]).toEqual([path, true])
      expect(statSync(path).size).toBeLessThan(150 * 1024)
    }
    for (const [image] of text.matchAll(/<img [^>]*>/g)) expect(image).toMatch(/ alt="[^"]{20,}"/)
  })
})
