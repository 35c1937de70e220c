// Checks of the accessibility of a page by program. `axe.source` must have run in the page.
import type { Page } from 'playwright-core'

/** Returns the violations that axe-core finds, as `rule: element`. */
export async function violations(page: Page): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  return page.evaluate<
    string[]
  >(`axe.run({ runOnly: ${JSON.stringify(tags)}, resultTypes: ['violations'] }).then(({ violations }) =>
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
