// The page at `/`: the server, its clock, its latest payments and its documents.
import { html } from 'hono/html'
import { clockDistance } from '../../../domain/clock-description.ts'
import type { Payment } from '../../../domain/payment.ts'
import { icon } from './icons.ts'
import { type DashboardLinks, layout, type PageLayout } from './layout.ts'
import type { Html } from './page-view.ts'
import { inlineCode, truncate } from './text.ts'

export interface HomeView extends PageLayout {
  /** The query of the links to other pages, such as `?lang=ru`. */
  readonly query: string
  /** Absent if the caller may not see it. */
  readonly server?: ServerInfo | undefined
  /** The relative path of the server's root. */
  readonly root: string
  /** Absent if the dashboard is not built, or if the caller may not use it. */
  readonly dashboard?: DashboardLinks | undefined
}

interface ServerInfo {
  /** `http://127.0.0.1:7770`. */
  readonly base: string
  readonly version: string
  /** Time of the sandbox's clock, ms. */
  readonly now: number
  /** System time, ms. */
  readonly systemNow: number
  readonly clock: { readonly mode: 'real' | 'frozen' | 'scaled'; readonly speed: number }
  /** Newest first. */
  readonly payments: readonly Payment[]
}

export function home(view: HomeView): Html {
  const { localizer, assets, server, dashboard } = view
  const { text } = localizer
  return layout({
    localizer,
    assets,
    dashboard,
    title: text('home_title'),
    languageHref: (language) => `?lang=${language}`,
    standalone: { skip: 'home_skip', footer: 'home_footer' },
    body: html`<main id="main" class="home" tabindex="-1">
<header><span class="mark mark-home">${icon('flask')}</span><h1>${text('home_title')}</h1><p class="quiet">${text('home_about')}</p></header>
${server === undefined ? html`<p>${text('home_closed')}</p>` : [facts(view, server), payments(view, server)]}
${documents(view)}
</main>`,
  })
}

function facts({ localizer }: HomeView, { base, version, now, clock, systemNow }: ServerInfo): Html {
  const { text } = localizer
  const instant = new Date(now).toISOString()
  const side = clockDistance(clock, now, systemNow)?.side
  const span = localizer.duration(rounded(Math.abs(now - systemNow)))
  const mode = text(`home_clock_${side ?? clock.mode}`, { speed: clock.speed, span })
  return html`<dl class="facts">
<div><dt>${text('home_api')}</dt><dd><code>${base}/v1/public</code></dd></div>
<div><dt>${text('home_version')}</dt><dd>${version}</dd></div>
<div><dt>${text('home_clock')}</dt><dd data-clock><time datetime="${instant}">${instant.slice(0, 19).replace('T', ' ')} UTC</time>, ${mode}</dd></div>
</dl>`
}

/** Rounds ms to whole seconds, or to whole minutes from one minute on. */
function rounded(ms: number): number {
  const unit = ms < 60_000 ? 1000 : 60_000
  return Math.round(ms / unit) * unit
}

function payments(view: HomeView, server: ServerInfo): Html {
  const { text } = view.localizer
  const list = html`<ul class="home-list">${server.payments.map((payment) => html`<li>${row(view, payment)}</li>`)}</ul>
<p class="quiet">${inlineCode(text('home_more'))}</p>`
  return html`<section aria-labelledby="payments"><h2 id="payments">${text('home_payments')}</h2>
${server.payments.length === 0 ? html`<p class="quiet">${inlineCode(text('home_none'))}</p>` : list}</section>`
}

function row({ localizer, query, root }: HomeView, { id, status, amount, currency, order_id }: Payment): Html {
  const tone = status === 'succeeded' || status === 'failed' ? status : 'other'
  return html`<a href="${root}pay/${id}${query}"><strong>${localizer.money(amount, currency)}</strong><bdi>${truncate(order_id, 60)}</bdi><span class="plan plan-${tone}">${status}</span></a>`
}

function documents({ localizer: { text }, server, root }: HomeView): Html {
  const links = [
    ['openapi.json', 'home_public_api'],
    ...(server === undefined
      ? []
      : ([
          ['_psp/openapi.json', 'home_control_api'],
          ['_psp/health', 'home_health'],
        ] as const)),
  ] as const
  return html`<section aria-labelledby="documents"><h2 id="documents">${text('home_documents')}</h2>
<ul class="home-list">${links.map(([href, name]) => html`<li><a href="${root}${href}"><span>${text(name)}</span><code>/${href}</code></a></li>`)}</ul></section>`
}
