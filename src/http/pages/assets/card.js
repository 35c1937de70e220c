// The card form: groups digits, shows the brand, and finds mistakes before the form is sent.

import { expiryText, isExpiry } from './expiry.js'

/** Patterns of card systems, and the length of a complete number if there is only one. */
const BRANDS = [
  [/^220[0-4]/, 'Мир', 16],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'Mastercard', 16],
  [/^4/, 'Visa', 16],
  [/^3[47]/, 'Amex', 15],
  [/^62/, 'UnionPay'],
  [/^(352[89]|35[3-8])/, 'JCB'],
]

const CHECKS = {
  number: (value) => isCardNumber(digitsOf(value)),
  expiry: (value, _form, now) => isExpiry(value, now()),
  cvc: (value, form) => digitsOf(value).length === (isAmex(form) ? 4 : 3),
  holder: (value) => /^[\p{L}\p{M} .'’-]{0,64}$/u.test(value.trim()),
}

/**
 * @param {HTMLElement} page the part of the document that may contain the form
 * @param {() => number} now returns the sandbox's time, ms
 */
export function enhanceCard(page, now) {
  const code = page.querySelector('#code')
  // A pasted code may have spaces.
  code?.addEventListener('input', () => retype(code, digitsOf(code.value).slice(0, 6)))
  for (const link of page.querySelectorAll('[data-code]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault()
      code.value = link.dataset.code
      code.form.querySelector('.primary').focus()
    })
  }
  const form = page.querySelector('.card-form')
  if (form === null) return
  const { number, expiry, cvc } = form.elements
  number.addEventListener('input', (event) => {
    retype(
      number,
      digitsOf(number.value)
        .slice(0, 19)
        .replace(/(\d{4})(?=\d)/g, '$1 '),
    )
    showBrand(form)
    if (!isTyped(event, number) || !hasAllDigits(number)) return
    if (check(form, 'number', now)) advance(expiry)
  })
  expiry.addEventListener('input', (event) => {
    retype(expiry, expiryText(expiry.value, event.inputType))
    if (isTyped(event, expiry) && isExpiry(expiry.value, now())) advance(cvc)
  })
  cvc.addEventListener('input', () => retype(cvc, digitsOf(cvc.value).slice(0, 4)))
  form.addEventListener('input', () => showPreview(form))
  form.addEventListener('keydown', (event) => onFieldKey(event, [number, expiry, cvc]))
  for (const name of Object.keys(CHECKS)) {
    const input = form.elements[name]
    input.addEventListener('blur', () => {
      if (input.value !== '') afterPress(() => check(form, name, now))
    })
    input.addEventListener('input', () => {
      if (input.getAttribute('aria-invalid') === 'true') check(form, name, now)
    })
  }
  form.addEventListener('submit', (event) => {
    const wrong = Object.keys(CHECKS).filter((name) => !check(form, name, now))
    if (wrong.length === 0) return
    event.preventDefault()
    form.elements[wrong[0]].focus()
  })
  for (const link of page.querySelectorAll('[data-card]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault()
      fill(form, link.dataset.card, link.closest('[data-expiry]').dataset.expiry, now)
    })
  }
  showBrand(form)
  showPreview(form)
}

/** Whether a person typed or pasted at the end of the text. If the browser fills the form, the focus must not move. */
function isTyped({ inputType }, input) {
  return /^insert(Text|FromPaste)$/.test(inputType) && input.selectionStart === input.value.length
}

function hasAllDigits(number) {
  const digits = digitsOf(number.value)
  return digits.length === brandOf(digits)?.[2]
}

/** A Tab within this many ms after `advance` is a habit, and must not skip the next field. */
const HABIT = 500
let advancedAt = Number.NEGATIVE_INFINITY

function advance(input) {
  input.focus()
  advancedAt = performance.now()
}

/** Ignores a Tab right after `advance`. Backspace in an empty field moves the focus to the previous field. */
function onFieldKey(event, inputs) {
  if (event.key === 'Tab' && !event.shiftKey && performance.now() - advancedAt < HABIT) {
    event.preventDefault()
    advancedAt = Number.NEGATIVE_INFINITY
  }
  const before = inputs[inputs.indexOf(event.target) - 1]
  if (event.key !== 'Backspace' || event.target.value !== '' || before === undefined) return
  event.preventDefault()
  before.focus()
}

/** Delays a message while a button is pressed. A new message moves the button, so the press would miss it. */
function afterPress(act) {
  if (!pressing) act()
  else addEventListener('click', act, { once: true })
}

let pressing = false
addEventListener('pointerdown', () => {
  pressing = true
})
for (const type of ['click', 'pointercancel', 'keydown']) {
  addEventListener(type, () => {
    pressing = false
  })
}

function fill(form, card, expiry, now) {
  form.elements.number.value = card.replace(/(\d{4})(?=\d)/g, '$1 ')
  form.elements.expiry.value = expiry
  form.elements.cvc.value = '123'
  for (const name of Object.keys(CHECKS)) check(form, name, now)
  showBrand(form)
  showPreview(form)
  form.querySelector('button').focus()
}

function check(form, name, now) {
  const input = form.elements[name]
  const error = document.getElementById(`${name}-error`)
  const isRight = CHECKS[name](input.value, form, now)
  if (isRight) input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
  const { text: usual, amex = usual } = error.dataset
  const mistake = isAmex(form) ? amex : usual
  const { empty = mistake } = error.dataset
  const text = isRight ? '' : input.value.trim() === '' ? empty : mistake
  if (error.textContent !== text) error.textContent = text
  return isRight
}

/** Replaces the text and keeps the caret at the same digit. */
function retype(input, text) {
  if (input.value === text) return
  const before = digitsOf(input.value.slice(0, input.selectionStart)).length
  const atEnd = input.selectionStart === input.value.length
  input.value = text
  if (atEnd) return
  let caret = 0
  for (let seen = 0; caret < text.length && seen < before; caret++) if (/\d/.test(text[caret])) seen += 1
  input.setSelectionRange(caret, caret)
}

/** Shows the mark of the card system, or its name if the page has no mark for it. */
function showBrand(form) {
  const shown = form.querySelector('[data-brand]')
  const brand = brandOf(digitsOf(form.elements.number.value))?.[1] ?? ''
  const marks = [...form.parentElement.querySelectorAll('.card-preview [data-system], .control [data-system]')]
  shown.textContent = brand
  shown.classList.toggle(
    'unseen',
    marks.some(({ dataset }) => dataset.system === brand),
  )
  for (const mark of marks) mark.classList.toggle('off', brand !== '' && mark.dataset.system !== brand)
}

/** Copies the fields to the drawing of the card. */
function showPreview(form) {
  const preview = form.parentElement.querySelector('[data-preview]')
  const { number, expiry, holder } = form.elements
  const digits = digitsOf(number.value)
  const filled = digits.padEnd(16, '•').replace(/(.{4})(?=.)/g, '$1 ')
  preview.querySelector('[data-preview-number]').textContent = filled
  preview.querySelector('[data-preview-holder]').textContent = holder.value.toUpperCase()
  const date = preview.querySelector('[data-preview-expiry]')
  date.textContent = expiry.value || date.dataset.empty
  preview.hidden = false
}

function brandOf(digits) {
  return BRANDS.find(([pattern]) => pattern.test(digits))
}

function isAmex(form) {
  return /^3[47]/.test(digitsOf(form.elements.number.value))
}

function digitsOf(text) {
  return text.replace(/\D/g, '')
}

function isCardNumber(digits) {
  if (!/^\d{12,19}$/.test(digits)) return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    sum += i % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)
  }
  return sum % 10 === 0
}
