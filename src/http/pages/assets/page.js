// Follows the payment: counts down, renders the page again after a change, and returns to the shop.
// The page also works without this script, with forms and reloads.
import { enhanceBanks } from './banks.js'
import { enhanceCard } from './card.js'
import { copyText } from './copy.js'
import { enhancePanel } from './panel.js'

/** ms between two polls, and between two polls of a hidden page. */
const POLL = 1000
const HIDDEN_POLL = 5000
const HOUR = 3_600_000
/** ms left from which the countdown is shown as urgent. */
const SOON = 60_000

let page = document.getElementById('page')
let leaving = false
let failures = 0
let drawnAt = performance.now()
/** After a return from the shop the buyer wants to read the page, so it does not return to the shop again. */
let stays = performance.getEntriesByType('navigation')[0]?.type === 'back_forward'
const live = document.getElementById('live')

if (page !== null) {
  enhance()
  document.addEventListener('submit', submitOnce)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void poll()
  })
  // A page from the back/forward cache may be outdated, and its buttons disabled.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    stays = true
    leaving = false
    draw().catch(() => location.reload())
  })
  setInterval(countDown, 250)
  void keepPolling()
}

function enhance() {
  for (const button of page.querySelectorAll('main [data-copy], main [data-copy-text]')) {
    button.hidden = false
    button.addEventListener('click', () => void copy(button))
  }
  enhancePanel(panelOf(page), copy)
  for (const button of page.querySelectorAll('[data-print]')) {
    button.hidden = false
    button.addEventListener('click', () => print())
  }
  for (const each of page.querySelectorAll('[data-without-script]')) each.hidden = true
  enhanceBanks(page, say)
  enhanceCard(page, now)
  countDown()
  leave()
}

/** Sends each form once, and does not send it without a connection. The server ignores repeated forms too. */
function submitOnce(event) {
  if (event.defaultPrevented) return
  const form = event.target
  if (form.method !== 'post') return
  const isOffline = failures > 0 || !navigator.onLine
  if (isOffline) showOffline()
  if (isOffline || form.dataset.sent === 'true') {
    event.preventDefault()
    return
  }
  form.dataset.sent = 'true'
  form.setAttribute('aria-busy', 'true')
}

function showOffline() {
  say(live.dataset.offline)
  live.classList.add('shown')
}

async function keepPolling() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, document.hidden ? HIDDEN_POLL : POLL))
    await poll()
  }
}

async function poll() {
  if (leaving) return
  try {
    const response = await fetch(page.dataset.status, { cache: 'no-store' })
    if (response.status === 404) {
      location.reload()
      return
    }
    if (!response.ok) throw new Error(String(response.status))
    const status = await response.json()
    if (live.classList.contains('shown')) {
      say('')
      await renewTokens()
    }
    failures = 0
    page.dataset.now = status.now
    page.dataset.speed = status.speed
    drawnAt = performance.now()
    if (status.version !== page.dataset.version) await draw()
    else if (status.historyVersion !== panelOf(page).dataset.historyVersion) await drawPanel()
  } catch {
    failures += 1
    if (failures >= 2) showOffline()
    return
  }
  live.classList.remove('shown')
}

/** Returns the current document of this page. */
async function load() {
  const response = await fetch(page.dataset.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
  if (!response.ok) throw new Error(String(response.status))
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** Replaces only the tokens in the forms, because a restarted server rejects the old ones. The fields are kept. */
async function renewTokens() {
  const { value } = (await load()).querySelector('[name="token"]') ?? {}
  if (value !== undefined) for (const each of page.querySelectorAll('[name="token"]')) each.value = value
}

/** Replaces the content with the content of the new page. Keeps the focus and the open sections that still exist. */
async function draw() {
  const fresh = await load()
  const next = fresh.getElementById('page')
  if (next === null) return
  const focused = focusPath()
  const keep = keepChoices()
  // After a form with mistakes, the address is that of the form. Links are relative to the address of the page.
  const own = new URL(page.dataset.href, location.href)
  if (own.pathname !== location.pathname) history.replaceState(null, '', own)
  const adopted = document.adoptNode(next)
  page.replaceWith(adopted)
  page = adopted
  keep()
  document.title = fresh.title
  restoreFocus(focused)
  const headline = page.querySelector('main h1')
  say(headline === null ? '' : headline.textContent)
  drawnAt = performance.now()
  enhance()
}

/** Replaces only the panel, so that the buyer's form keeps what was typed. */
async function drawPanel() {
  const next = (await load()).querySelector('.sandbox')
  if (next === null) return
  const focused = focusPath()
  const keep = keepChoices()
  const scrolled = panelOf(page).querySelector('.panel').scrollTop
  panelOf(page).replaceWith(document.adoptNode(next))
  keep()
  panelOf(page).querySelector('.panel').scrollTop = scrolled
  if (focused?.inPanel) restoreFocus(focused)
  enhancePanel(panelOf(page), copy)
}

function panelOf(parent) {
  return parent.querySelector('.sandbox')
}

/** Returns a function that opens the same sections and selects the same options in the new content. */
function keepChoices() {
  const open = [...page.querySelectorAll('details[open][data-keep]')].map((each) => each.dataset.keep)
  const chosen = [...page.querySelectorAll('.panel select')].map(({ id, value }) => [id, value])
  const radio = [...page.querySelectorAll('.panel [type=radio]')].find((each) => each.checked && !each.defaultChecked)
  return () => {
    for (const details of page.querySelectorAll('details[data-keep]')) {
      details.open = open.includes(details.dataset.keep)
    }
    for (const [id, value] of chosen) {
      const select = document.getElementById(id)
      if (select !== null && [...select.options].some((option) => option.value === value)) select.value = value
    }
    const same = radio && page.querySelector(`.panel [name="${radio.name}"][value="${radio.value}"]`)
    if (same) same.checked = true
  }
}

/** Returns selectors that find the focused element after a change: by id, by name and value, or by section. */
function focusPath() {
  const active = document.activeElement
  if (!page.contains(active)) return undefined
  const { name, value } = active
  return {
    selector: active.id ? `#${active.id}` : name ? `[name="${name}"][value="${value}"]` : undefined,
    inPanel: panelOf(page).contains(active),
    summary: active.matches('summary') ? active.parentElement.dataset.keep : undefined,
  }
}

function restoreFocus(path) {
  if (path === undefined) return
  const selector = path.summary ? `details[data-keep="${path.summary}"] > summary` : path.selector
  const target = (selector && page.querySelector(selector)) ?? page.querySelector('main')
  target.focus({ preventScroll: true })
}

/** The sandbox's time, ms. */
function now() {
  return Number(page.dataset.now) + (performance.now() - drawnAt) * Number(page.dataset.speed)
}

function countDown() {
  const shown = page.querySelector('[data-countdown]')
  if (shown === null || page.dataset.deadline === '') return
  const left = Math.max(0, Number(page.dataset.deadline) - now())
  const seconds = Math.floor(left / 1000)
  const text =
    left > HOUR
      ? `${Math.round(left / HOUR)}\u00a0${shown.dataset.hours}`
      : [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':')
  if (shown.textContent !== text) shown.textContent = text
  const soon = left > 0 && left < SOON
  if (soon && !shown.parentElement.classList.contains('soon')) say(shown.dataset.soon)
  shown.parentElement.classList.toggle('soon', soon)
}

/** Spec 3.4: two seconds after success, at once otherwise. */
function leave() {
  if (leaving || page.dataset.return === undefined) return
  if (stays) {
    for (const each of page.querySelectorAll('[data-leaving]')) each.hidden = true
    return
  }
  leaving = true
  setTimeout(() => location.replace(page.dataset.return), Number(page.dataset.returnAfter))
}

/** Copies the value of a field, or the text that the button itself has. */
async function copy(button) {
  const { copy: id, copyText: text, copied } = button.dataset
  await copyText(text ?? document.getElementById(id).value)
  say(copied)
  const before = [...button.childNodes]
  button.replaceChildren(copied)
  setTimeout(() => button.replaceChildren(...before), 2000)
}

/** Announces a message to screen readers. */
function say(text) {
  if (live.textContent !== text) live.textContent = text
}
