// The HTML document around every page, and the pages for errors.
import { html } from 'hono/html'
import type { Localizer, MessageKey } from '../localizer.ts'
import { LANGUAGES, type Language } from '../messages.ts'
import { icon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'

/** The parts of a page that depend on the request. */
export interface PageLayout {
  readonly localizer: Localizer
  /** Base path of the page's assets. */
  readonly assets: string
}

export interface PageDocument extends PageLayout {
  readonly title: string
  readonly body: Html
  /** For browsers without JavaScript: the page to load next, and the seconds until then. */
  readonly refresh?: { readonly seconds: number; readonly href: string } | undefined
  /** Returns the link to the page in another language. Absent: no choice of languages. */
  readonly languageHref?: ((language: Language) => string) | undefined
  /** Messages of a page that shows no payment, and therefore needs no script. */
  readonly standalone?: { readonly skip: MessageKey; readonly footer: MessageKey }
  /** The dashboard, which replaces the page in browsers with JavaScript. */
  readonly dashboard?: DashboardLinks | undefined
}

/** Links to the files of the dashboard, relative to the page. */
export interface DashboardLinks {
  /** The relative path of the server's root: `./`, `../`. */
  readonly root: string
  readonly script: string
  readonly style: string
  readonly preload: readonly string[]
}

export function layout(page: PageDocument): Html {
  const { localizer, assets, title, refresh, standalone, dashboard } = page
  const { language } = localizer
  const pageStyle = html`<link rel="stylesheet" href="${assets}/page.css">`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="preload" href="${assets}/inter.woff2" as="font" type="font/woff2" crossorigin>
${dashboard === undefined ? pageStyle : [dashboardHead(dashboard), html`<noscript>${pageStyle}</noscript>`]}
${standalone === undefined && html`<script type="module" src="${assets}/page.js"></script>`}
${refresh && html`<noscript><meta http-equiv="refresh" content="${refresh.seconds};url=${refresh.href}"></noscript>`}
</head>
<body>
${dashboard === undefined ? content(page) : html`<div id="app" data-root="${dashboard.root}"></div><noscript>${content(page)}</noscript>`}
</body>
</html>
`
}

function content({ localizer, body, languageHref, standalone }: PageDocument): Html {
  const { text } = localizer
  return html`<a class="skip" href="#main">${text(standalone?.skip ?? 'skip')}</a>
${body}
<footer class="foot">
<p>${text(standalone?.footer ?? 'footer')}</p>
${languageHref && languages(localizer, languageHref)}
</footer>
${standalone === undefined && html`<p id="live" class="unseen" role="status" aria-live="polite" data-offline="${text('offline')}"></p>`}`
}

/** The media query keeps the style of the dashboard away from the page without JavaScript. */
function dashboardHead({ script, style, preload }: DashboardLinks): Html {
  return html`<link id="dashboard-style" rel="stylesheet" href="${style}" media="(scripting: enabled)">
${preload.map((each) => html`<link rel="modulepreload" href="${each}">`)}
<script type="module" src="${script}"></script>`
}

function languages({ text, language }: Localizer, href: (language: Language) => string): Html {
  const names = { en: 'English', ru: 'Русский' } as const
  return html`<nav class="languages" aria-label="${text('language')}">${LANGUAGES.map(
    (each) =>
      html`<a href="${href(each)}" lang="${each}" hreflang="${each}" ${each === language ? html`aria-current="true"` : ''}>${names[each]}</a>`,
  )}</nav>`
}

export type NoticeName = 'missing' | 'invalid_form' | 'unknown_choice' | 'internal_error'

/**
 * Renders a page with a title and a message.
 * @param values for the placeholders of the message
 */
export function noticePage(
  { localizer, assets, href }: PageLayout & Pick<PageView, 'href'>,
  name: NoticeName,
  values?: { readonly [placeholder: string]: string },
): Html {
  const { text } = localizer
  const title = text(`${name}_title`)
  const isMissing = name === 'missing'
  return layout({
    localizer,
    assets,
    title,
    languageHref: isMissing ? (language) => `?lang=${language}` : undefined,
    body: html`<main id="main" class="notice" tabindex="-1"><span class="outcome-icon">${icon('cross')}</span><h1>${title}</h1><p>${text(`${name}_text`, values)}</p>${
      !isMissing && html`<p><a class="button primary" href="${href('')}">${text('open_payment')}</a></p>`
    }</main>`,
  })
}
