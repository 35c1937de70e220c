// Pairs such as `{"name":"password","value":"…"}`: the name of a value is the value of another field.
import { fieldKind } from './personal-fields.ts'
import { snakeCase } from './snake-case.ts'

/** The fields of a pair that contain the name, and those that contain the value. */
const LABELS = /^(name|key|field|field_?name|header|label|id|param|parameter|property|attribute|k|n)$/i
const VALUES = /^(values?|val|content|text|data|v)$/i

export const isLabelField = (name: string) => LABELS.test(name)
export const isValueField = (name: string) => VALUES.test(name)

/** Whether the JSON text may contain pairs, or persons. A text without them is read only once. */
export function isPairText(text: string): boolean {
  return /"(?:values?|val|content|text|data|v|name)"\s*:/i.test(text)
}

export interface ObjectNotes {
  add(object: number, kind: 'key' | 'string' | 'number', key: string | undefined, value: string): void
  labelOf(object: number, key: string | undefined): string | undefined
  hasContact(object: number): boolean
}

/** Notes for each object of a JSON text, by its number, the name of its pair, and whether it describes a person. */
export function createObjectNotes(): ObjectNotes {
  const labels = new Map<number, string>()
  const contacts = new Set<number>()
  return {
    add(object, kind, key, value) {
      if (kind === 'key') {
        if (isContact(value)) contacts.add(object)
      } else if (kind === 'string' && key !== undefined && value.length <= LONGEST_NAME && isLabelField(key)) {
        // An object may have an id and a name. The one that says more is the name of the value.
        if (!labels.has(object) || fieldKind([value]) !== undefined) labels.set(object, value)
      }
    },
    labelOf: (object, key) => (key !== undefined && isValueField(key) ? labels.get(object) : undefined),
    hasContact: (object) => contacts.has(object),
  }
}

const LONGEST_NAME = 80

function isContact(key: string): boolean {
  const kind = fieldKind([key])
  return kind === 'phone' || kind === 'email' || kind === 'birth_date' || /^(first|last)_?name$/.test(snakeCase(key))
}
