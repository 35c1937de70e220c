// Checks of the accessibility of a page by program.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const require = createRequire(import.meta.url)
/** The minified script starts faster. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules of {@link TAGS} whose result depends on the colours, which are all that differs between the themes. */
const ABOUT_COLOURS = ['color-contrast', 'link-in-text-block']

/** Runs the script of axe-core in a document, which the other functions need. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(`${AXE};undefined`)
}

/**
 * Returns the violations that axe-core finds, as `rule: element`.
 * @param rules `colours` for a page of which {@link violations} has found none in another theme
 */
export async function violations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  const runOnly = JSON.stringify(rules === 'all' ? TAGS : { type: 'rule', values: ABOUT_COLOURS })
  // Selectors take a quarter of the time, and the text of an element is enough to find it.
  const options = `{ runOnly: ${runOnly}, resultTypes: ['violations'], selectors: false }`
  return page.evaluate<string[]>(`axe.run(${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`)
}

/**
 * Returns the targets that are smaller than WCAG 2.5.8 requires.
 * @param except a selector of elements in which a small target is allowed
 */
export async function smallTargets(page: Page, except: string): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('a[href], button, select, summary, input:not([type=hidden])')]
    .filter((each) => each.checkVisibility() && !each.closest(${JSON.stringify(except)}))
    .map((each) => [(each.closest('label') ?? each).getBoundingClientRect(), each.outerHTML.slice(0, 80)])
    .filter(([box]) => box.width < 24 || box.height < 24)
    .map(([box, html]) => Math.round(box.width) + 'x' + Math.round(box.height) + ' ' + html)`)
}
