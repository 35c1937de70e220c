// The document around every page.
import { html } from 'hono/html'
import type { Localizer, MessageKey } from '../localizer.ts'
import { LANGUAGES, type Language } from '../messages.ts'
import { icon } from './icons.ts'
import type { Html } from './page-view.ts'

/** What every page needs of the request it answers. */
export interface PageLayout {
  readonly localizer: Localizer
  /** Folder of the files the page names. */
  readonly assets: string
}

export interface PageDocument extends PageLayout {
  readonly title: string
  readonly body: Html
  /** Where the page goes on where there is no script, and after how many seconds. */
  readonly refresh?: { readonly seconds: number; readonly href: string } | undefined
  /** The same page in another language; absent: no choice. */
  readonly languageHref?: ((language: Language) => string) | undefined
  /** Of a page that is of no payment: its own localizer, and nothing to follow. */
  readonly still?: { readonly skip: MessageKey; readonly footer: MessageKey }
}

export function layout({ localizer, assets, title, body, refresh, languageHref, still }: PageDocument): Html {
  const { text, language } = localizer
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
<link rel="stylesheet" href="${assets}/page.css">
${still === undefined && html`<script type="module" src="${assets}/page.js"></script>`}
${refresh && html`<noscript><meta http-equiv="refresh" content="${refresh.seconds};url=${refresh.href}"></noscript>`}
</head>
<body>
<a class="skip" href="#main">${text(still?.skip ?? 'skip')}</a>
${body}
<footer class="foot">
<p>${text(still?.footer ?? 'footer')}</p>
${languageHref && languages(localizer, languageHref)}
</footer>
${still === undefined && html`<p id="live" class="unseen" role="status" aria-live="polite" data-offline="${text('offline')}"></p>`}
</body>
</html>
`
}

function languages({ text, language }: Localizer, href: (language: Language) => string): Html {
  const names = { en: 'English', ru: 'Русский' } as const
  return html`<nav class="languages" aria-label="${text('language')}">${LANGUAGES.map(
    (each) =>
      html`<a href="${href(each)}" lang="${each}" hreflang="${each}" ${each === language ? html`aria-current="true"` : ''}>${names[each]}</a>`,
  )}</nav>`
}

export function missingPage(frame: PageLayout): Html {
  const { localizer } = frame
  const languageHref = (language: Language) => `?lang=${language}`
  return notice({ ...frame, languageHref }, localizer.text('missing_title'), localizer.text('missing_text'))
}

export function invalidFormPage(frame: PageLayout, href: string): Html {
  const { localizer } = frame
  return notice(frame, localizer.text('stale_title'), localizer.text('stale_text'), {
    href,
    text: localizer.text('open_payment'),
  })
}

export function internalErrorPage(frame: PageLayout, href: string): Html {
  const { localizer } = frame
  return notice(frame, localizer.text('broken_title'), localizer.text('broken_text'), {
    href,
    text: localizer.text('open_payment'),
  })
}

/** @param given the field and what came in it */
export function unknownChoicePage(frame: PageLayout, href: string, given: string): Html {
  const { localizer } = frame
  return notice(frame, localizer.text('unknown_choice_title'), localizer.text('unknown_choice_text', { given }), {
    href,
    text: localizer.text('open_payment'),
  })
}

/** A page that only says something. */
function notice(
  frame: PageLayout & Pick<PageDocument, 'languageHref'>,
  title: string,
  text: string,
  link?: { href: string; text: string },
): Html {
  return layout({
    ...frame,
    title,
    body: html`<main id="main" class="notice" tabindex="-1"><span class="outcome-icon">${icon('cross')}</span><h1>${title}</h1><p>${text}</p>${
      link && html`<p><a class="button primary" href="${link.href}">${link.text}</a></p>`
    }</main>`,
  })
}
