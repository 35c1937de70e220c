// The page of a payment: the summary, the current step, and the sandbox's panel.
import { html } from 'hono/html'
import type { PageForm } from '../../../domain/payment-methods.ts'
import type { Step } from '../page-step.ts'
import { appScreen, wallet } from './app-screen.ts'
import { cardForm } from './card-form.ts'
import { chooser, methodTabs } from './chooser.ts'
import { layout } from './layout.ts'
import { OUTCOMES, outcome } from './outcome.ts'
import type { Html, PageView } from './page-view.ts'
import { panel } from './panel.ts'
import { sbp } from './sbp.ts'
import { summary } from './summary.ts'
import { truncate } from './text.ts'
import { threeDs } from './three-ds.ts'

export function paymentPage(view: PageView): Html {
  const { localizer, step, version, query, clock, deadline, returns_after } = view
  const leaving = returns_after !== undefined && !query.stay
  return layout({
    localizer,
    assets: view.assets,
    title: titleOf(view),
    languageHref: (language) => view.href('', { ...queryOf(view), lang: language }),
    refresh: leaving
      ? { seconds: Math.ceil(returns_after / 1000), href: view.href('return') }
      : step === 'processing' || step === 'waiting'
        ? { seconds: 2, href: view.href('', queryOf(view)) }
        : undefined,
    body: html`<div id="page" class="page" data-version="${version}" data-step="${step}" data-now="${clock.now}" data-speed="${clock.speed}" data-deadline="${deadline ?? ''}" data-status="${view.href('status')}" data-href="${view.href('', queryOf(view))}" ${
      leaving ? html`data-return="${view.href('return')}" data-return-after="${returns_after}"` : ''
    }>
<div class="sheet">
${summary(view)}
<main id="main" class="pane" tabindex="-1">
${!query.app && STEPS_WITH_METHOD_TABS.includes(step) && methodTabs(view)}
${PANES[step](view)}
</main>
</div>
${panel(view)}
</div>`,
  })
}

/** The steps in which the buyer can still choose another method. */
const STEPS_WITH_METHOD_TABS: readonly Step[] = ['sbp', 'wallet', 'cards'] satisfies PageForm[]

const PANES: { readonly [S in Step]: (view: PageView) => Html } = {
  choose: chooser,
  sbp: (view) => (view.query.app ? appScreen(view) : sbp(view)),
  wallet: (view) => (view.query.app ? appScreen(view) : wallet(view)),
  cards: cardForm,
  three_ds: threeDs,
  waiting: outcome,
  processing: outcome,
  succeeded: outcome,
  failed: outcome,
  expired: outcome,
  cancelled: outcome,
  refunded: outcome,
}

/** Includes the result, so that the title of a background tab shows it. */
function titleOf({ localizer, step, shop }: PageView): string {
  const title = localizer.text('title', { shop: truncate(shop, 80) })
  return Object.hasOwn(OUTCOMES, step)
    ? `${localizer.text(OUTCOMES[step as keyof typeof OUTCOMES].title)} · ${title}`
    : title
}

function queryOf({ query }: PageView) {
  return {
    view: query.app ? 'app' : undefined,
    bank: query.bank,
    q: query.search,
    panel: query.panel ? 'open' : undefined,
    stay: query.dropped ? 'dropped' : query.stay ? 1 : undefined,
  }
}
