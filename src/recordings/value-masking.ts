// Masks single texts and values, and collects the names and phones that fields contain.
import { cardDigits, cardMask, replaceCards } from '../domain/card-masking.ts'
import { HIDDEN, maskContacts, withoutCredentials } from './free-text.ts'
import { createKnownPersons, type KnownPersons } from './known-persons.ts'
import { editNamedValues } from './named-values.ts'
import { type FieldKind, fieldKind } from './personal-fields.ts'
import type { Pseudonyms } from './pseudonyms.ts'

export interface ValueMasking {
  readonly persons: KnownPersons
  /** @param isBody whether the text is a whole body, so that a line such as `password: abc` is a field */
  text(value: string, isBody?: boolean): string
  /** Masks a value by what its field contains. */
  masked(kind: FieldKind | undefined, value: string): string
  /** Replaces only the names and phones that are known by now. */
  known(value: string): string
}

export function createValueMasking(pseudonyms: Pseudonyms, keepsPersonalData: boolean): ValueMasking {
  const persons = createKnownPersons()

  function text(value: string, isBody = false): string {
    const secretless = withoutCredentials(value)
    const masked = /[=:<]/.test(secretless) ? editNamedValues(secretless, named, isBody) : secretless
    // Card numbers come last, because a pseudonym of a phone or an email contains none.
    return replaceCards(keepsPersonalData ? masked : withoutPersons(masked), card)
  }

  function withoutPersons(value: string): string {
    return known(maskContacts(value, { ...pseudonyms, name: learnedName }))
  }

  function learnedName(name: string): string {
    const pseudonym = pseudonyms.name(name)
    if (pseudonym !== name) persons.learnName(name, pseudonym)
    return pseudonym
  }

  const known = (value: string) => (keepsPersonalData ? value : persons.replaceIn(value, pseudonyms))

  /** Returns how the value of a name in a text is masked. */
  function named(name: string): ((value: string) => string) | undefined {
    const kind = fieldKind([name])
    return kind === undefined || (keepsPersonalData && kind !== 'secret' && kind !== 'card')
      ? undefined
      : (value) => masked(kind, value)
  }

  function card(number: string): string {
    return keepsPersonalData ? cardMask(number) : pseudonyms.card(number)
  }

  /** Masks a value by what its field contains. */
  function masked(kind: FieldKind | undefined, value: string): string {
    if (kind === 'secret') return value === '' ? value : HIDDEN
    if (kind === 'card') return cardDigits(value).length < 12 ? text(value) : card(value)
    if (kind === undefined || keepsPersonalData || value === '') return text(value)
    if (kind === 'name') return learnedName(value)
    if (kind === 'phone') persons.learnPhone(value)
    return personal(pseudonyms, kind, value) ?? text(value)
  }

  return { persons, text, masked, known }
}

/** Returns `undefined` for a code, which is not personal. */
function personal(
  pseudonyms: Pseudonyms,
  kind: Exclude<FieldKind, 'secret' | 'card' | 'name'>,
  value: string,
): string | undefined {
  if (kind === 'code_or_text') return /^[a-z0-9_.:-]{1,64}$/.test(value) ? undefined : pseudonyms.text(value)
  return kind === 'phone' && /\p{L}/u.test(value) ? pseudonyms.text(value) : pseudonyms[kind](value)
}
